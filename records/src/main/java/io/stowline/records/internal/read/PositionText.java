package io.stowline.records.internal.read;

import io.stowline.records.internal.name.Sessions;
import io.stowline.records.internal.read.ReadVector.SessionPlace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** The text of a vector: a version, the numbers in Base64 that URLs may have, and their checksum. Stateless. */
public final class PositionText {

    /** The longest text: that of about 100,000 sessions. */
    public static final int MAX = 4 << 20;

    private static final String VERSION = "r1.";
    private static final int CHECKSUM = 9;

    private PositionText() {}

    /** Returns the text. */
    public static String of(ReadVector vector) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            Instant since = vector.since();
            out.writeLong(since.getEpochSecond());
            out.writeInt(since.getNano());
            out.writeLong(vector.reached().getEpochSecond());
            number(out, vector.places().size());
            for (Map.Entry<String, SessionPlace> entry : vector.places().entrySet()) {
                SessionPlace place = entry.getValue();
                out.writeUTF(entry.getKey());
                out.writeLong(place.interval().getEpochSecond());
                number(out, place.sequence());
                number(out, place.offset());
                number(out, place.passed());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String body = VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
        return body + checksum(body);
    }

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException if it is none of a vector
     */
    public static ReadVector parse(String text) {
        int end = text.length() - CHECKSUM;
        if (text.length() > MAX || !text.startsWith(VERSION)) {
            throw refused("it does not begin with " + VERSION + " or is longer than " + MAX + " characters");
        }
        if (end < VERSION.length() || !checksum(text.substring(0, end)).equals(text.substring(end))) {
            throw refused("its checksum does not fit, so that it was cut or changed");
        }
        byte[] bytes = Base64.getUrlDecoder().decode(text.substring(VERSION.length(), end));
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            ReadVector vector = read(in);
            if (in.read() >= 0) {
                throw refused("something follows its end");
            }
            return vector;
        } catch (IOException e) {
            throw refused("it ends too early");
        }
    }

    private static ReadVector read(DataInputStream in) throws IOException {
        Instant since = checked(Instant.ofEpochSecond(in.readLong(), in.readInt()));
        Instant reached = checked(Instant.ofEpochSecond(in.readLong()));
        long count = number(in);
        SortedMap<String, SessionPlace> places = new TreeMap<>();
        for (long i = 0; i < count; i++) {
            String session = in.readUTF();
            Instant interval = checked(Instant.ofEpochSecond(in.readLong()));
            if (!Sessions.isName(session)) {
                throw refused("it has a session that is none");
            }
            places.put(session, new SessionPlace(interval, number(in), number(in), number(in)));
        }
        return new ReadVector(since, reached, places);
    }

    private static Instant checked(Instant instant) {
        if (instant.isBefore(ReadVector.FIRST) || instant.isAfter(ReadVector.LAST)) {
            throw refused("it has a time out of range");
        }
        return instant;
    }

    private static IllegalArgumentException refused(String reason) {
        return new IllegalArgumentException(
                "the text is no position of records: " + reason + "; give what RecordPosition.toString() returned");
    }

    private static void number(DataOutputStream out, long number) throws IOException {
        long rest = number;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static long number(DataInputStream in) throws IOException {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
            int group = in.readUnsignedByte();
            number |= (long) (group & 0x7F) << shift;
            if (group < 0x80) {
                return number;
            }
        }
        throw refused("it has a number out of range");
    }

    private static String checksum(String body) {
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(StandardCharsets.ISO_8859_1));
        return String.format(Locale.ROOT, ".%08x", crc.getValue());
    }
}
