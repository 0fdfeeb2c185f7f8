package io.stowline.caching.internal.disk;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An entry as bytes: a preamble of fixed size, the head with the key, the body. The preamble is written last, for it has the length of
 * the body and the checksum over all.
 */
final class DiskFormat {

    /** Bytes before the head: magic, length of the body, checksum, length of the head. */
    static final int PREAMBLE = Long.BYTES + Long.BYTES + Integer.BYTES + Integer.BYTES;

    /** A head may have no more bytes. */
    static final int MAX_HEAD = 1 << 20;

    private static final long MAGIC = 0x53744C6E43616331L;

    private DiskFormat() {}

    /**
     * The preamble of a file: the lengths and the checksum.
     *
     * @param bodyLength bytes of the body
     * @param checksum over head, body and both lengths
     * @param headLength bytes of the head
     */
    record Preamble(long bodyLength, int checksum, int headLength) {

        long bodyAt() {
            return (long) PREAMBLE + headLength;
        }

        long fileLength() {
            return bodyAt() + bodyLength;
        }

        ByteBuffer bytes() {
            return ByteBuffer.allocate(PREAMBLE)
                    .putLong(MAGIC)
                    .putLong(bodyLength)
                    .putInt(checksum)
                    .putInt(headLength)
                    .flip();
        }
    }

    /** A head with its cache key. */
    record Keyed(String key, DiskHead head) {}

    /** Returns the preamble, or null if these bytes are none. */
    static @Nullable Preamble preamble(ByteBuffer bytes) {
        if (bytes.remaining() < PREAMBLE || bytes.getLong() != MAGIC) {
            return null;
        }
        Preamble found = new Preamble(bytes.getLong(), bytes.getInt(), bytes.getInt());
        boolean possible = found.bodyLength >= 0
                && found.bodyLength <= Long.MAX_VALUE - PREAMBLE - MAX_HEAD
                && found.headLength >= 0
                && found.headLength <= MAX_HEAD;
        return possible ? found : null;
    }

    /** Returns the checksum of these lengths after head and body were added in this order. */
    static int checksum(CRC32C headAndBody, long bodyLength, int headLength) {
        headAndBody.update(ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(bodyLength)
                .putInt(headLength)
                .flip());
        return (int) headAndBody.getValue();
    }

    /** Returns the bytes of a head; an IOException names the part that is too long or no text. */
    static ByteBuffer head(String key, DiskHead head) throws IOException {
        List<ByteBuffer> texts = new ArrayList<>();
        texts.add(text(key));
        for (Map.Entry<String, String> header : head.headers().entrySet()) {
            texts.add(text(header.getKey()));
            texts.add(text(header.getValue()));
        }
        long length = Integer.BYTES + Long.BYTES;
        for (ByteBuffer text : texts) {
            length += Integer.BYTES + text.remaining();
        }
        if (length > MAX_HEAD) {
            throw new IOException("key and headers have " + length + " bytes, the limit is " + MAX_HEAD);
        }
        ByteBuffer bytes =
                ByteBuffer.allocate((int) length).putInt(head.status()).putLong(head.validatedAtMillis());
        texts.forEach(text -> bytes.putInt(text.remaining()).put(text));
        return bytes.flip();
    }

    private static ByteBuffer text(String text) throws IOException {
        try {
            return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        } catch (CharacterCodingException e) {
            throw new IOException("a key or header has an unpaired surrogate", e);
        }
    }

    /** Returns the head in these bytes, or null if they hold none. */
    static @Nullable Keyed keyed(ByteBuffer bytes) {
        try {
            int status = bytes.getInt();
            long validatedAtMillis = bytes.getLong();
            String key = text(bytes);
            Map<String, String> headers = new HashMap<>();
            while (bytes.hasRemaining()) {
                headers.put(text(bytes), text(bytes));
            }
            return new Keyed(key, new DiskHead(status, headers, validatedAtMillis));
        } catch (BufferUnderflowException | IndexOutOfBoundsException | CharacterCodingException e) {
            return null;
        }
    }

    private static String text(ByteBuffer bytes) throws CharacterCodingException {
        int length = bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer text = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
    }

    /**
     * A cached response without its body. Immutable.
     *
     * @param status the HTTP status
     * @param headers the headers, by name; copied
     * @param validatedAtMillis the time of the service's last confirmation, in milliseconds since 1970
     */
    record DiskHead(int status, Map<String, String> headers, long validatedAtMillis) {

        /** Takes the headers as they are now. */
        DiskHead {
            headers = Map.copyOf(headers);
        }

        /** Returns a header whatever the case of its name, or null. */
        @Nullable
        String header(String name) {
            for (Map.Entry<String, String> header : headers.entrySet()) {
                if (header.getKey().equalsIgnoreCase(name)) {
                    return header.getValue();
                }
            }
            return null;
        }
    }
}
