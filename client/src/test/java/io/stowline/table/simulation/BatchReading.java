package io.stowline.table.simulation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads an entity group transaction byte by byte, and checks all that the service asks of one (its page "Performing entity group
 * transactions").
 */
final class BatchReading {

    static final int MAX_OPERATIONS = 100;
    static final int MAX_BYTES = 4 * 1024 * 1024;

    private static final String PART = "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n";

    private static final Pattern BOUNDARY = Pattern.compile("[A-Za-z0-9_'()+,./:=?-]{1,70}");

    private final byte[] bytes;
    private int at;

    private BatchReading(byte[] bytes) {
        this.bytes = bytes;
    }

    static List<StoreChange> of(String contentType, byte[] body) throws Malformed {
        Malformed.unless(body.length <= MAX_BYTES, () -> "a body of " + body.length + " bytes");
        List<StoreChange> changes = new BatchReading(body).read(boundary(contentType));
        Malformed.unless(changes.size() <= MAX_OPERATIONS, () -> changes.size() + " operations");
        Malformed.unless(!changes.isEmpty(), "no operation");
        Set<SimulatedKey> keys = new HashSet<>();
        for (StoreChange change : changes) {
            Malformed.unless(keys.add(change.key()), () -> "the entity " + change.key() + " twice");
            String partition = changes.get(0).key().partition();
            Malformed.unless(change.key().partition().equals(partition), "two partitions");
        }
        return changes;
    }

    private static String boundary(String contentType) throws Malformed {
        String start = "multipart/mixed; boundary=";
        Malformed.unless(contentType.startsWith(start), () -> "the content type " + contentType);
        String boundary = contentType.substring(start.length());
        Malformed.unless(BOUNDARY.matcher(boundary).matches(), () -> "the boundary " + boundary);
        return boundary;
    }

    private List<StoreChange> read(String batch) throws Malformed {
        take("--" + batch + "\r\n");
        String changeSet = boundary(header("Content-Type"));
        take("\r\n");
        Malformed.unless(!changeSet.equals(batch), "one boundary for batch and change set");
        byte[] next = ("\r\n--" + changeSet).getBytes(StandardCharsets.US_ASCII);
        List<StoreChange> changes = new ArrayList<>();
        Set<String> tables = new HashSet<>();
        take("--" + changeSet);
        while (!startsWith("--")) {
            take("\r\n");
            int end = indexOf(next, at);
            changes.add(part(end, tables));
            at = end + next.length;
        }
        take("--\r\n--" + batch + "--\r\n");
        Malformed.unless(at == bytes.length, () -> (bytes.length - at) + " bytes after the end");
        Malformed.unless(tables.size() <= 1, () -> "several tables: " + tables);
        return changes;
    }

    private StoreChange part(int end, Set<String> tables) throws Malformed {
        take(PART);
        String[] line = line().split(" ", -1);
        Malformed.unless(
                line.length == 3 && line[2].equals("HTTP/1.1"), () -> "the request line " + Arrays.toString(line));
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header = line(); !header.isEmpty(); header = line()) {
            put(headers, header);
        }
        Malformed.unless(at <= end, "a part ends within its headers");
        Malformed.unless(!line[0].equals("PATCH"), "PATCH inside a batch, where it goes by the name of MERGE");
        SimulatedOperations.Address address = SimulatedOperations.Address.of(line[1]);
        tables.add(address.table());
        return SimulatedOperations.change(line[0], address, headers, Arrays.copyOfRange(bytes, at, end));
    }

    private static void put(Map<String, String> headers, String line) throws Malformed {
        int colon = line.indexOf(": ");
        Malformed.unless(colon > 0, () -> "the header line " + line);
        String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
        Malformed.unless(headers.put(name, line.substring(colon + 2)) == null, () -> "the header twice of " + line);
    }

    private String header(String name) throws Malformed {
        String line = line();
        Malformed.unless(line.startsWith(name + ": "), () -> "not the header " + name + " but " + line);
        return line.substring(name.length() + 2);
    }

    /** Up to the end of the line, which must be CRLF and ASCII. */
    private String line() throws Malformed {
        int from = at;
        while (at + 1 < bytes.length && !(bytes[at] == '\r' && bytes[at + 1] == '\n')) {
            if (bytes[at] < ' ' || bytes[at] == 127) {
                throw new Malformed("the byte " + bytes[at] + " in a line");
            }
            at++;
        }
        Malformed.unless(at + 1 < bytes.length, "a line without an end");
        at += 2;
        return new String(bytes, from, at - 2 - from, StandardCharsets.US_ASCII);
    }

    private void take(String text) throws Malformed {
        Malformed.unless(startsWith(text), () -> "not \"" + text.strip() + "\" at " + at);
        at += text.length();
    }

    private boolean startsWith(String text) {
        if (at + text.length() > bytes.length) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (bytes[at + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private int indexOf(byte[] wanted, int from) throws Malformed {
        for (int i = from; i + wanted.length <= bytes.length; i++) {
            if (bytes[i] == wanted[0] && Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        throw new Malformed("no boundary after " + from);
    }
}
