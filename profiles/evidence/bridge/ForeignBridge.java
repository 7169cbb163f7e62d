// A bridge between channels of JacORB and ActiveMQ Artemis that owes nothing to the kit: a factory of CosBridgeAdmin, which the
// kit drives as it would anybody's. The ids of rows are those of tck/catalogue/data/interworking.toml. Decided here: the only
// connection factories are "" and "ConnectionFactory", and a JMS source that is pulled is not offered: NO_IMPLEMENT.

import jakarta.jms.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import org.apache.activemq.artemis.jms.client.*;
import org.omg.CORBA.IntHolder;
import org.omg.CORBA.NO_IMPLEMENT;
import org.omg.CORBA.OBJECT_NOT_EXIST;
import org.omg.CORBA.ORB;
import org.omg.CORBA.TRANSIENT;
import org.omg.CosBridgeAdmin.*;
import org.omg.CosEventComm.Disconnected;
import org.omg.CosNotification.StructuredEvent;
import org.omg.CosNotifyChannelAdmin.*;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

/** The factory: makes bridges, and knows those that live. */
public final class ForeignBridge extends BridgeFactoryPOA {
    final POA poa;
    final ConnectionFactory connections;
    final Mapping mapping;
    final Map<Integer, Link> living = new ConcurrentSkipListMap<>();
    private final EventChannelFactory channels;
    private int last;

    private ForeignBridge(ORB orb, String channels, String jms) throws Exception {
        poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
        poa.the_POAManager().activate();
        this.channels = EventChannelFactoryHelper.unchecked_narrow(orb.string_to_object(channels));
        connections = new ActiveMQConnectionFactory(jms);
        mapping = new Mapping(orb);
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, String> given = new HashMap<>();
        for (int at = 0; at + 1 < arguments.length; at += 2) given.put(arguments[at], arguments[at + 1]);
        if (!given.keySet().equals(Set.of("--channels", "--jms", "--ior-file"))) {
            System.err.println("usage: ForeignBridge --channels IOR --jms tcp://HOST:PORT --ior-file FILE");
            System.exit(2);
        }
        ORB orb = ORB.init(new String[0], null);
        ForeignBridge factory = new ForeignBridge(orb, given.get("--channels"), given.get("--jms"));
        Path file = Path.of(given.get("--ior-file")).toAbsolutePath(), draft = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(draft, orb.object_to_string(factory.poa.servant_to_reference(factory)));
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        while (System.in.read() != -1) { }
        for (Link each : factory.living.values()) quietly(each::destroy);
        System.exit(0);
    }

    public synchronized Bridge create_bridge(ExternalEndpoint source, ExternalEndpoint sink, IntHolder id)
            throws InvalidExternalEndPoints {
        List<ExternalEndpointError> errors = new ArrayList<>();
        EventChannel channel = null;
        for (ExternalEndpoint end : List.of(source, sink)) {
            ExternalEndpointRole role = end == source ? ExternalEndpointRole.SOURCE : ExternalEndpointRole.SINK;
            boolean suits = end.role == role && jms(end) == (end.type == MessageType.JMS_MESSAGE) && jms(source) != jms(sink);
            if (!suits || end == sink && jms(end) && end.style != FlowStyle.PUSH) // iw-3.1.3.1-1, iw-2.2-9
                errors.add(new ExternalEndpointError(role, ExternalEndpointErrorCode.MISMATCH_ENDPOINTROLE_NOTIFSTYLE));
            if (jms(end)) {
                JMSDestination to = end.connector.destination();
                if (to.destination_name.isEmpty() || !Set.of("", "ConnectionFactory").contains(to.factory_name))
                    errors.add(new ExternalEndpointError(role, ExternalEndpointErrorCode.INVALID_JMSDESTINATION));
                continue;
            }
            // JacORB's stubs read SEQUENCE_EVENT in a connector as STRUCTURED_EVENT; the type of the end is right.
            if (suits) end.connector.channel_id(end.type, end.connector.channel_id());
            try {
                channel = channels.get_event_channel(end.connector.channel_id());
            } catch (ChannelNotFound error) {
                errors.add(new ExternalEndpointError(role, ExternalEndpointErrorCode.INVALID_CHANNELID));
            }
        }
        if (!errors.isEmpty()) throw new InvalidExternalEndPoints(errors.toArray(new ExternalEndpointError[0]));
        if (jms(source) && source.style != FlowStyle.PUSH) throw new NO_IMPLEMENT(); // iw-2.2-16
        id.value = ++last;
        Link made = new Link(this, last, source, sink, channel);
        living.put(last, made);
        return made.reference;
    }

    static boolean jms(ExternalEndpoint end) {
        return end.connector.discriminator() == MessageType.JMS_MESSAGE;
    }

    public Bridge get_bridge_with_id(int id) throws BridgeNotFound {
        Link found = living.get(id);
        if (found == null) throw new BridgeNotFound();
        return found.reference;
    }

    public int[] get_all_bridges() {
        return living.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    interface Call {
        void run() throws Exception;
    }

    static void quietly(Call call) {
        try {
            call.run();
        } catch (Exception error) {
            System.err.println(error); // the other side may be gone
        }
    }
}

/** A bridge, with its JMS side, which calls JMS 1.1 only (iw-2.1-2). Locks: the bridge, then polling, then sending. */
final class Link extends BridgePOA {
    final Bridge reference;
    private final ForeignBridge factory;
    private final int id;
    private final ExternalEndpoint source, sink;
    private final boolean toJms, durable;
    private final JMSDestination destination;
    private final Client client;
    private final Object polling = new Object(), sending = new Object();
    private final ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor();
    private StructuredEvent[] held = {}; // pulled, and not sent yet
    private Connection connection;
    private Session session;
    private MessageProducer producer;
    private MessageConsumer consumer;
    private volatile boolean active, destroyed, unlinked;

    Link(ForeignBridge factory, int id, ExternalEndpoint source, ExternalEndpoint sink, EventChannel channel)
            throws InvalidExternalEndPoints {
        this.factory = factory;
        this.id = id;
        this.source = source;
        this.sink = sink;
        toJms = ForeignBridge.jms(sink);
        destination = (toJms ? sink : source).connector.destination();
        boolean queue = destination.destination_type == JMSDestinationType.QUEUE;
        try {
            client = new Client(factory.poa, channel, toJms ? source : sink, this::send);
            client.configure(queue);
            durable = !toJms && !queue && client.persistent(); // iw-2.5.2-3, -4
        } catch (Exception error) {
            throw invalid(toJms, ExternalEndpointErrorCode.INVALID_CHANNELID, error);
        }
        try {
            open();
            reference = BridgeHelper.narrow(factory.poa.servant_to_reference(this));
        } catch (Exception error) {
            ForeignBridge.quietly(client::destroy);
            throw invalid(!toJms, ExternalEndpointErrorCode.INVALID_JMSDESTINATION, error);
        }
        if (client.pull != null) poller.scheduleWithFixedDelay(this::poll, 20, 20, TimeUnit.MILLISECONDS);
    }

    private static InvalidExternalEndPoints invalid(boolean source, ExternalEndpointErrorCode code, Exception error) {
        System.err.println(error);
        ExternalEndpointRole role = source ? ExternalEndpointRole.SOURCE : ExternalEndpointRole.SINK;
        return new InvalidExternalEndPoints(new ExternalEndpointError[] {new ExternalEndpointError(role, code)});
    }

    private boolean running() {
        if (destroyed) throw new OBJECT_NOT_EXIST(); // iw-2.3-34
        return active && !client.lost && !unlinked; // iw-2.3-17
    }

    public ExternalEndpoint end_point_receiver() {
        running();
        return source; // iw-2.3-3
    }

    public ExternalEndpoint end_point_sender() {
        running();
        return sink;
    }

    public synchronized void start_bridge() throws BridgeAlreadyStarted, InvalidExternalEndPoints {
        if (running()) throw new BridgeAlreadyStarted();
        try {
            client.start();
        } catch (Exception error) {
            throw invalid(toJms, ExternalEndpointErrorCode.INVALID_CHANNELID, error);
        }
        try {
            if (unlinked) open();
            connection.start();
            active = true;
        } catch (JMSException error) {
            ForeignBridge.quietly(client::stop);
            throw invalid(!toJms, ExternalEndpointErrorCode.INVALID_JMSDESTINATION, error);
        }
    }

    public synchronized void stop_bridge() throws BridgeInactive {
        if (!running()) throw new BridgeInactive();
        active = false;
        ForeignBridge.quietly(client::stop);
        ForeignBridge.quietly(connection::stop);
        synchronized (polling) { } // until a poll under way has ended
    }

    public synchronized void destroy() {
        running();
        destroyed = true;
        active = false;
        factory.living.remove(id);
        poller.shutdown();
        ForeignBridge.quietly(client::destroy);
        if (durable && !unlinked) {
            ForeignBridge.quietly(consumer::close);
            ForeignBridge.quietly(() -> session.unsubscribe("bridge"));
        }
        ForeignBridge.quietly(connection::close);
        ForeignBridge.quietly(() -> factory.poa.deactivate_object(factory.poa.servant_to_id(this)));
    }

    /** Connects without a start: until then the listener's messages stay at the provider. */
    private void open() throws JMSException {
        Connection made = factory.connections.createConnection();
        try {
            if (durable) made.setClientID("foreign-" + ProcessHandle.current().pid() + "-" + id);
            made.setExceptionListener(error -> lose(made)); // iw-2.3-32
            session = made.createSession(toJms, toJms ? Session.SESSION_TRANSACTED : Session.CLIENT_ACKNOWLEDGE);
            boolean queue = destination.destination_type == JMSDestinationType.QUEUE;
            String name = destination.destination_name;
            Destination at = queue ? session.createQueue(name) : session.createTopic(name);
            if (toJms) {
                producer = session.createProducer(at);
            } else {
                consumer = durable ? session.createDurableSubscriber((Topic) at, "bridge") : session.createConsumer(at);
                consumer.setMessageListener(message -> received(made, message));
            }
        } catch (JMSException | RuntimeException error) {
            ForeignBridge.quietly(made::close);
            throw error;
        }
        connection = made;
        unlinked = false;
    }

    /** Gives up a connection, whose unacknowledged messages go back; the channel keeps its events meanwhile. */
    private void lose(Connection which) {
        if (which != connection || unlinked || destroyed) return;
        unlinked = true;
        new Thread(() -> ForeignBridge.quietly(which::close)).start(); // its listener may not close it
        ForeignBridge.quietly(client::stop);
    }

    private void received(Connection from, Message message) {
        if (unlinked || from != connection) return; // unacknowledged
        try {
            StructuredEvent event = factory.mapping.event(message);
            if (event != null) client.send.take(event);
            message.acknowledge();
        } catch (Exception error) {
            System.err.println(error);
            client.lost |= error instanceof OBJECT_NOT_EXIST || error instanceof Disconnected;
            lose(from);
        }
    }

    private void poll() {
        synchronized (polling) {
            try {
                while (active && !client.lost && !unlinked) {
                    if (held.length == 0) held = client.pull.call();
                    if (held.length == 0) return;
                    send(held);
                    held = new StructuredEvent[0];
                }
            } catch (JMSException error) {
                System.err.println(error);
                lose(connection);
            } catch (Exception error) {
                System.err.println(error);
                client.lost = true;
            }
        }
    }

    /** Sends all or nothing. */
    private void send(StructuredEvent[] events) throws Exception {
        synchronized (sending) {
            if (unlinked) throw new TRANSIENT(); // the channel may try again
            try {
                for (StructuredEvent each : events) factory.mapping.send(session, producer, each);
                session.commit();
            } catch (Exception error) {
                ForeignBridge.quietly(session::rollback);
                throw error;
            }
        }
    }
}
