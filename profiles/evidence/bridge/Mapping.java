import jakarta.jms.*;
import jakarta.jms.Queue;
import java.io.*;
import java.lang.reflect.Field;
import java.util.*;
import org.omg.CORBA.Any;
import org.omg.CORBA.AnySeqHelper;
import org.omg.CORBA.ORB;
import org.omg.CORBA.OctetSeqHelper;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;
import org.omg.CosNotification.EventHeader;
import org.omg.CosNotification.EventType;
import org.omg.CosNotification.FixedEventHeader;
import org.omg.CosNotification.Property;
import org.omg.CosNotification.PropertySeqHelper;
import org.omg.CosNotification.StructuredEvent;
import org.omg.DynamicAny.DynAnyFactory;
import org.omg.DynamicAny.DynAnyFactoryHelper;
import org.omg.DynamicAny.DynStructHelper;
import org.omg.DynamicAny.NameValuePair;
import org.omg.IOP.Codec;
import org.omg.IOP.CodecFactoryHelper;
import org.omg.IOP.ENCODING_CDR_ENCAPS;
import org.omg.IOP.Encoding;
import org.omg.TimeBase.TimeTHelper;
import org.omg.TimeBase.UtcTHelper;

/**
 * Structured events as messages, and messages as structured events: sections 2.4 and 2.5. Decided here: Timeout is the remaining
 * life; Timeout and StopTime together mean the earlier end; a field's name is its property's, where a character that no identifier
 * may have becomes $ and four hexadecimal digits, and a reserved or taken name gets a leading $. A property that no type of JMS can
 * hold is Base64 of the value's CDR encapsulation (GIOP 1.2, without TypeCode); a body of a constructed type is the same bytes.
 */
final class Mapping {
    private static final long UNITS = 10_000; // of 100 ns in a millisecond
    private static final long EPOCH = 122_192_928_000_000_000L; // 1970 in 100 ns since 15 October 1582
    private static final Set<String> RESERVED =
        Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");
    private final ORB orb;
    private final Codec codec;
    private final DynAnyFactory dynamic;

    Mapping(ORB orb) throws Exception {
        this.orb = orb;
        codec = CodecFactoryHelper.narrow(orb.resolve_initial_references("CodecFactory"))
            .create_codec(new Encoding(ENCODING_CDR_ENCAPS.value, (byte) 1, (byte) 2));
        dynamic = DynAnyFactoryHelper.narrow(orb.resolve_initial_references("DynAnyFactory"));
    }

    static StructuredEvent event(String type, String name, List<Property> header, List<Property> data, Any body) {
        FixedEventHeader fixed = new FixedEventHeader(new EventType("", type), name);
        Property[] none = {};
        return new StructuredEvent(new EventHeader(fixed, header.toArray(none)), data.toArray(none), body);
    }

    static StructuredEvent empty() {
        return event("", "", List.of(), List.of(), ORB.init().create_any());
    }

    // From JMS to the channel

    /** Returns nothing for a message whose life is over (iw-2.4.1-15). */
    StructuredEvent event(Message message) throws Exception {
        List<Property> header = new ArrayList<>(), data = new ArrayList<>();
        short reliability = (short) (message.getJMSDeliveryMode() == DeliveryMode.PERSISTENT ? 1 : 0);
        header.add(new Property("EventReliability", any(reliability)));
        header.add(new Property("Priority", any((short) message.getJMSPriority())));
        if (message.getJMSExpiration() != 0) {
            long life = message.getJMSExpiration() - System.currentTimeMillis();
            if (life <= 0) return null;
            Any timeout = orb.create_any();
            TimeTHelper.insert(timeout, life * UNITS);
            header.add(new Property("Timeout", timeout));
        }
        add(data, "JMSType", message.getJMSType());
        add(data, "JMSMessageID", message.getJMSMessageID());
        add(data, "JMSTimestamp", message.getJMSTimestamp());
        add(data, "JMSReplyTo", name(message.getJMSReplyTo()));
        add(data, "JMSCorrelationID", message.getJMSCorrelationID());
        add(data, "JMSDestination", name(message.getJMSDestination()));
        add(data, "JMSRedelivered", message.getJMSRedelivered());
        for (Enumeration<?> keys = message.getPropertyNames(); keys.hasMoreElements(); ) {
            String key = (String) keys.nextElement();
            data.add(new Property(key, any(message.getObjectProperty(key))));
        }
        Any body = orb.create_any();
        String type = "%Message";
        if (message instanceof TextMessage) {
            type = "%TextMessage";
            body = any(((TextMessage) message).getText());
        } else if (message instanceof BytesMessage) {
            type = "%BytesMessage";
            byte[] bytes = new byte[(int) ((BytesMessage) message).getBodyLength()];
            ((BytesMessage) message).readBytes(bytes);
            OctetSeqHelper.insert(body, bytes);
        } else if (message instanceof StreamMessage) {
            type = "%StreamMessage";
            AnySeqHelper.insert(body, items((StreamMessage) message));
        } else if (message instanceof MapMessage) {
            type = "%MapMessage";
            PropertySeqHelper.insert(body, entries((MapMessage) message));
        } else if (message instanceof ObjectMessage) {
            type = "%ObjectMessage";
            OctetSeqHelper.insert(body, serialized((ObjectMessage) message));
        }
        return event(type, Objects.requireNonNullElse(name(message.getJMSDestination()), ""), header, data, body);
    }

    private void add(List<Property> data, String name, Object value) {
        if (value != null) data.add(new Property(name, any(value))); // iw-2.4.1-30
    }

    private static String name(Destination destination) throws JMSException {
        if (destination instanceof Queue) return ((Queue) destination).getQueueName();
        return destination == null ? null : ((Topic) destination).getTopicName();
    }

    private Any[] items(StreamMessage message) throws JMSException {
        List<Any> items = new ArrayList<>();
        try {
            while (true) items.add(any(message.readObject()));
        } catch (MessageEOFException error) {
            return items.toArray(new Any[0]);
        }
    }

    private Property[] entries(MapMessage message) throws JMSException {
        List<Property> entries = new ArrayList<>();
        for (Enumeration<?> keys = message.getMapNames(); keys.hasMoreElements(); ) {
            String key = (String) keys.nextElement();
            entries.add(new Property(key, any(message.getObject(key))));
        }
        return entries.toArray(new Property[0]);
    }

    /** By the bytes that Artemis keeps: the object's class need not be here. */
    private static byte[] serialized(ObjectMessage message) throws Exception {
        Field data = message.getClass().getDeclaredField("data");
        data.setAccessible(true);
        byte[] bytes = (byte[]) data.get(message);
        if (bytes != null) return bytes;
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        new ObjectOutputStream(made).writeObject(null);
        return made.toByteArray();
    }

    private Any any(Object value) {
        Any any = orb.create_any();
        if (value instanceof Boolean) any.insert_boolean((Boolean) value);
        else if (value instanceof Byte) any.insert_octet((Byte) value);
        else if (value instanceof Short) any.insert_short((Short) value);
        else if (value instanceof Integer) any.insert_long((Integer) value);
        else if (value instanceof Long) any.insert_longlong((Long) value);
        else if (value instanceof Float) any.insert_float((Float) value);
        else if (value instanceof Double) any.insert_double((Double) value);
        else if (value instanceof Character) any.insert_wchar((Character) value);
        else if (value instanceof String) any.insert_string((String) value);
        else if (value instanceof byte[]) OctetSeqHelper.insert(any, (byte[]) value);
        return any; // of no value for null
    }

    // From the channel to JMS

    void send(Session session, MessageProducer producer, StructuredEvent event) throws Exception {
        Message message = body(session, event.remainder_of_body);
        message.setJMSType("Structured Event");
        FixedEventHeader fixed = event.header.fixed_header;
        message.setStringProperty("$domain_type", fixed.event_type.domain_name);
        message.setStringProperty("$type_name", fixed.event_type.type_name);
        message.setStringProperty("$event_name", fixed.event_name);
        int mode = DeliveryMode.PERSISTENT, priority = Message.DEFAULT_PRIORITY;
        long life = Long.MAX_VALUE;
        for (Property each : event.header.variable_header) {
            TCKind kind = plain(each.value.type()).kind();
            if (each.name.equals("EventReliability") && kind == TCKind.tk_short) {
                mode = each.value.extract_short() == 0 ? DeliveryMode.NON_PERSISTENT : DeliveryMode.PERSISTENT;
            } else if (each.name.equals("Priority") && kind == TCKind.tk_short) {
                priority = Math.max(0, Math.min(9, each.value.extract_short())); // iw-2.5.4-4 to -6
            } else if (each.name.equals("Timeout") && kind == TCKind.tk_ulonglong) {
                long units = each.value.extract_ulonglong();
                if (units > 0) life = Math.min(life, (units - 1) / UNITS + 1); // part of a millisecond is a whole one
            } else if (each.name.equals("StopTime") && UtcTHelper.type().equivalent(each.value.type())) {
                long until = (UtcTHelper.extract(each.value).time - EPOCH) / UNITS; // iw-2.5.5-1
                life = Math.min(life, until - System.currentTimeMillis());
            } else {
                property(message, each.name, each.value);
            }
        }
        for (Property each : event.filterable_data) property(message, each.name, each.value);
        if (life > 0) producer.send(message, mode, priority, life == Long.MAX_VALUE ? 0 : life);
    }

    private void property(Message message, String name, Any any) throws Exception {
        Object value = value(any);
        if (value instanceof Character) value = value.toString(); // iw-2.4.2-29
        if (value != null && !(value instanceof byte[])) set(message, name, value);
        else if (members(any) == null) set(message, name, Base64.getEncoder().encodeToString(codec.encode_value(any)));
        else linearise(message, "$" + name, any);
    }

    private void linearise(Message message, String path, Any any) throws Exception {
        for (NameValuePair each : members(any)) {
            Object value = value(each.value);
            if (value == null) linearise(message, path + "." + each.id, each.value);
            else set(message, path + "." + each.id, value instanceof Character ? value.toString() : value);
        }
    }

    /** Returns the members of a struct of primitive values and such structs (iw-2.4.2-34), or null. */
    private NameValuePair[] members(Any any) throws Exception {
        if (plain(any.type()).kind() != TCKind.tk_struct) return null;
        NameValuePair[] members = DynStructHelper.narrow(dynamic.create_dyn_any(any)).get_members();
        for (NameValuePair each : members) {
            Object value = value(each.value);
            if (value instanceof byte[] || value == null && members(each.value) == null) return null;
        }
        return members;
    }

    private static void set(Message message, String name, Object value) throws JMSException {
        StringBuilder made = new StringBuilder();
        for (char each : name.toCharArray()) {
            boolean right = made.length() == 0 ? Character.isJavaIdentifierStart(each) : Character.isJavaIdentifierPart(each);
            made.append(right ? String.valueOf(each) : String.format("$%04x", (int) each));
        }
        String key = made.toString();
        boolean settable =
            key.equals("JMSXGroupID") && value instanceof String || key.equals("JMSXGroupSeq") && value instanceof Integer;
        if (key.isEmpty() || RESERVED.contains(key.toUpperCase(Locale.ROOT)) || key.startsWith("JMS") && !settable) key = "$" + key;
        while (message.propertyExists(key)) key = "$" + key;
        message.setObjectProperty(key, value);
    }

    private Message body(Session session, Any any) throws Exception {
        TypeCode type = plain(any.type());
        Object value = value(any);
        if (value instanceof byte[]) return bytes(session, (byte[]) value);
        if (value instanceof String) return session.createTextMessage((String) value);
        if (type.kind() == TCKind.tk_null || type.kind() == TCKind.tk_void) return session.createMessage();
        if (value != null) return stream(session, any);
        if (type.equivalent(plain(PropertySeqHelper.type()))) {
            MapMessage made = session.createMapMessage();
            for (Property each : PropertySeqHelper.read(any.create_input_stream()))
                made.setObject(each.name.isEmpty() ? "$" : each.name, item(each.value));
            return made;
        }
        if (type.kind() == TCKind.tk_sequence && plain(type.content_type()).kind() == TCKind.tk_any)
            return stream(session, AnySeqHelper.read(any.create_input_stream()));
        return bytes(session, codec.encode_value(any));
    }

    private static Message bytes(Session session, byte[] bytes) throws JMSException {
        BytesMessage made = session.createBytesMessage();
        made.writeBytes(bytes);
        return made;
    }

    private Message stream(Session session, Any... items) throws Exception {
        StreamMessage made = session.createStreamMessage();
        for (Any each : items) made.writeObject(item(each));
        return made;
    }

    private Object item(Any any) throws Exception {
        Object value = value(any);
        return value == null && any.type().kind() != TCKind.tk_null ? codec.encode_value(any) : value;
    }

    private static TypeCode plain(TypeCode type) throws Exception {
        TypeCode made = type;
        while (made.kind() == TCKind.tk_alias) made = made.content_type();
        return made;
    }

    /** Returns what Java has for a basic value, a string or octets (iw-2.4.2-28), or null. */
    private static Object value(Any any) throws Exception {
        TypeCode type = plain(any.type());
        switch (type.kind().value()) {
            case TCKind._tk_boolean: return any.extract_boolean();
            case TCKind._tk_octet: return any.extract_octet();
            case TCKind._tk_short: return any.extract_short();
            case TCKind._tk_ushort: return any.extract_ushort();
            case TCKind._tk_long: return any.extract_long();
            case TCKind._tk_ulong: return any.extract_ulong();
            case TCKind._tk_longlong: return any.extract_longlong();
            case TCKind._tk_ulonglong: return any.extract_ulonglong();
            case TCKind._tk_float: return any.extract_float();
            case TCKind._tk_double: return any.extract_double();
            case TCKind._tk_char: return any.extract_char();
            case TCKind._tk_wchar: return any.extract_wchar();
            case TCKind._tk_string: return any.extract_string();
            case TCKind._tk_wstring: return any.extract_wstring();
            case TCKind._tk_sequence:
                boolean octets = plain(type.content_type()).kind() == TCKind.tk_octet;
                return octets ? OctetSeqHelper.read(any.create_input_stream()) : null;
            default: return null;
        }
    }
}
