import java.util.*;
import java.util.concurrent.*;
import org.omg.CORBA.Any;
import org.omg.CORBA.BooleanHolder;
import org.omg.CORBA.IntHolder;
import org.omg.CORBA.ORB;
import org.omg.CORBA.TRANSIENT;
import org.omg.CORBA.UserException;
import org.omg.CosBridgeAdmin.*;
import org.omg.CosEventComm.Disconnected;
import org.omg.CosNotification.*;
import org.omg.CosNotifyChannelAdmin.*;
import org.omg.CosNotifyComm.*;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.Servant;

/** A bridge's client at its channel: what the proxy calls, and the calls to the proxy. */
final class Client implements StructuredPushConsumerOperations, SequencePushConsumerOperations, StructuredPullConsumerOperations,
        SequencePullConsumerOperations, StructuredPushSupplierOperations, SequencePushSupplierOperations,
        StructuredPullSupplierOperations, SequencePullSupplierOperations {
    interface Events {
        void take(StructuredEvent... events) throws Exception;
    }

    private static final StructuredEvent[] NONE = {};
    private static final short FIFO = 1, PERSISTENT = 1;
    volatile boolean lost; // the channel has disconnected it, or is no more
    Callable<StructuredEvent[]> pull; // of a source that is pulled
    Events send; // of a sink
    private final POA poa;
    private final Events forward;
    private final BlockingQueue<StructuredEvent> buffer = new LinkedBlockingQueue<>(); // of a sink that is pulled, iw-2.2-15
    private QoSAdminOperations proxy;
    private Servant servant;
    private ForeignBridge.Call connect, suspend, resume, disconnect;
    private boolean connected;
    private volatile boolean stopped = true;

    Client(POA poa, EventChannel channel, ExternalEndpoint end, Events forward) throws AdminLimitExceeded {
        this.poa = poa;
        this.forward = forward;
        boolean batch = end.type == MessageType.SEQUENCE_EVENT, pushes = end.style == FlowStyle.PUSH;
        ClientType kind = batch ? ClientType.SEQUENCE_EVENT : ClientType.STRUCTURED_EVENT;
        IntHolder id = new IntHolder();
        if (end.role == ExternalEndpointRole.SOURCE) {
            ConsumerAdmin admin = channel.default_consumer_admin();
            ProxySupplier any =
                pushes ? admin.obtain_notification_push_supplier(kind, id) : admin.obtain_notification_pull_supplier(kind, id);
            if (pushes && batch) use(SequenceProxyPushSupplierHelper.narrow(any));
            else if (pushes) use(StructuredProxyPushSupplierHelper.narrow(any));
            else if (batch) use(SequenceProxyPullSupplierHelper.narrow(any));
            else use(StructuredProxyPullSupplierHelper.narrow(any));
        } else {
            SupplierAdmin admin = channel.default_supplier_admin();
            ProxyConsumer any =
                pushes ? admin.obtain_notification_push_consumer(kind, id) : admin.obtain_notification_pull_consumer(kind, id);
            if (pushes && batch) use(SequenceProxyPushConsumerHelper.narrow(any));
            else if (pushes) use(StructuredProxyPushConsumerHelper.narrow(any));
            else if (batch) use(SequenceProxyPullConsumerHelper.narrow(any));
            else use(StructuredProxyPullConsumerHelper.narrow(any));
        }
    }

    private void use(StructuredProxyPushSupplier its) {
        link(its, new StructuredPushConsumerPOATie(this), its::disconnect_structured_push_supplier,
            () -> its.connect_structured_push_consumer(StructuredPushConsumerHelper.narrow(own())));
        suspendable(its::suspend_connection, its::resume_connection);
    }

    private void use(SequenceProxyPushSupplier its) {
        link(its, new SequencePushConsumerPOATie(this), its::disconnect_sequence_push_supplier,
            () -> its.connect_sequence_push_consumer(SequencePushConsumerHelper.narrow(own())));
        suspendable(its::suspend_connection, its::resume_connection);
    }

    private void use(StructuredProxyPullSupplier its) {
        link(its, new StructuredPullConsumerPOATie(this), its::disconnect_structured_pull_supplier,
            () -> its.connect_structured_pull_consumer(StructuredPullConsumerHelper.narrow(own())));
        BooleanHolder has = new BooleanHolder();
        pull = () -> {
            StructuredEvent event = its.try_pull_structured_event(has);
            return has.value ? new StructuredEvent[] {event} : NONE;
        };
    }

    private void use(SequenceProxyPullSupplier its) {
        link(its, new SequencePullConsumerPOATie(this), its::disconnect_sequence_pull_supplier,
            () -> its.connect_sequence_pull_consumer(SequencePullConsumerHelper.narrow(own())));
        BooleanHolder has = new BooleanHolder();
        pull = () -> {
            StructuredEvent[] events = its.try_pull_structured_events(100, has);
            return has.value ? events : NONE;
        };
    }

    private void use(StructuredProxyPushConsumer its) {
        link(its, new StructuredPushSupplierPOATie(this), its::disconnect_structured_push_consumer,
            () -> its.connect_structured_push_supplier(StructuredPushSupplierHelper.narrow(own())));
        send = events -> its.push_structured_event(events[0]);
    }

    private void use(SequenceProxyPushConsumer its) {
        link(its, new SequencePushSupplierPOATie(this), its::disconnect_sequence_push_consumer,
            () -> its.connect_sequence_push_supplier(SequencePushSupplierHelper.narrow(own())));
        send = its::push_structured_events;
    }

    private void use(StructuredProxyPullConsumer its) {
        link(its, new StructuredPullSupplierPOATie(this), its::disconnect_structured_pull_consumer,
            () -> its.connect_structured_pull_supplier(StructuredPullSupplierHelper.narrow(own())));
        suspendable(its::suspend_connection, its::resume_connection);
        send = events -> Collections.addAll(buffer, events);
    }

    private void use(SequenceProxyPullConsumer its) {
        link(its, new SequencePullSupplierPOATie(this), its::disconnect_sequence_pull_consumer,
            () -> its.connect_sequence_pull_supplier(SequencePullSupplierHelper.narrow(own())));
        suspendable(its::suspend_connection, its::resume_connection);
        send = events -> Collections.addAll(buffer, events);
    }

    private void link(QoSAdminOperations its, Servant own, ForeignBridge.Call disconnect, ForeignBridge.Call connect) {
        proxy = its;
        servant = own;
        this.disconnect = disconnect;
        this.connect = connect;
        suspendable(() -> { }, () -> { });
    }

    private void suspendable(ForeignBridge.Call suspend, ForeignBridge.Call resume) {
        this.suspend = suspend;
        this.resume = resume;
    }

    private org.omg.CORBA.Object own() throws UserException {
        return poa.servant_to_reference(servant);
    }

    /** Asks for the order of JMS (iw-2.5.6-7: JacORB's PriorityOrder is not stable), and for what a queue is (iw-2.5.2-2). */
    void configure(boolean queue) {
        request("OrderPolicy", FIFO);
        if (queue) request("ConnectionReliability", PERSISTENT);
    }

    private void request(String name, short value) {
        Any any = ORB.init().create_any();
        any.insert_short(value);
        ForeignBridge.quietly(() -> proxy.set_qos(new Property[] {new Property(name, any)}));
    }

    boolean persistent() {
        return Arrays.stream(proxy.get_qos())
            .anyMatch(each -> each.name.equals("ConnectionReliability") && each.value.extract_short() == PERSISTENT);
    }

    /** Connects, or resumes what was stopped. */
    void start() throws Exception {
        if (lost) throw new Disconnected();
        if (!connected) connect.run();
        else if (stopped) resume.run();
        connected = true;
        stopped = false;
    }

    void stop() throws Exception {
        if (stopped) return;
        stopped = true;
        suspend.run();
    }

    void destroy() throws Exception {
        ForeignBridge.quietly(disconnect);
        lost = true;
        poa.deactivate_object(poa.servant_to_id(servant));
    }

    private void forward(StructuredEvent... events) throws Disconnected {
        if (lost) throw new Disconnected();
        try {
            forward.take(events);
        } catch (Exception error) {
            System.err.println(error);
            throw new TRANSIENT(); // the channel may try again
        }
    }

    public void push_structured_event(StructuredEvent event) throws Disconnected {
        forward(event);
    }

    public void push_structured_events(StructuredEvent[] events) throws Disconnected {
        forward(events);
    }

    public StructuredEvent pull_structured_event() throws Disconnected {
        return pull_structured_events(1)[0];
    }

    public StructuredEvent try_pull_structured_event(BooleanHolder has) throws Disconnected {
        StructuredEvent[] events = try_pull_structured_events(1, has);
        return has.value ? events[0] : Mapping.empty();
    }

    public synchronized StructuredEvent[] pull_structured_events(int most) throws Disconnected {
        BooleanHolder has = new BooleanHolder();
        while (true) {
            StructuredEvent[] events = try_pull_structured_events(most, has);
            if (has.value) return events;
            try {
                wait(20);
            } catch (InterruptedException error) {
                throw new TRANSIENT();
            }
        }
    }

    public synchronized StructuredEvent[] try_pull_structured_events(int most, BooleanHolder has) throws Disconnected {
        if (lost) throw new Disconnected();
        List<StructuredEvent> events = new ArrayList<>();
        if (!stopped) buffer.drainTo(events, most);
        has.value = !events.isEmpty();
        return events.toArray(NONE);
    }

    public void offer_change(EventType[] added, EventType[] removed) { }
    public void subscription_change(EventType[] added, EventType[] removed) { }

    public void disconnect_structured_push_consumer() { lost = true; }
    public void disconnect_sequence_push_consumer() { lost = true; }
    public void disconnect_structured_pull_consumer() { lost = true; }
    public void disconnect_sequence_pull_consumer() { lost = true; }
    public void disconnect_structured_push_supplier() { lost = true; }
    public void disconnect_sequence_push_supplier() { lost = true; }
    public void disconnect_structured_pull_supplier() { lost = true; }
    public void disconnect_sequence_pull_supplier() { lost = true; }
}
