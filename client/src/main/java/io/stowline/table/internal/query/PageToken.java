package io.stowline.table.internal.query;

import io.stowline.error.BadRequestException;
import io.stowline.error.internal.PrintableText;
import io.stowline.table.InvalidPageTokenException;
import io.stowline.table.internal.request.QueryPage.Continuation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The text of a continuation that leaves the process: a version, a checksum of the query that it belongs to, and the service's keys, in
 * Base64 for URLs. It is no secret and no proof: its holder can read the keys and make others.
 */
public final class PageToken {

    private static final int VERSION = 1;
    private static final int MAX = 16_384;

    private PageToken() {}

    /**
     * Encodes where a query continues.
     *
     * @param query what identifies the query: its table and its conditions
     */
    public static String of(String query, Continuation next) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeInt(checksum(query));
            write(out, next.partitionKey());
            write(out, next.rowKey());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    }

    /**
     * Decodes a token.
     *
     * @param query what identifies the query that is to continue
     * @return where it continues
     * @throws InvalidPageTokenException if it is no token, or that of another query
     */
    public static Continuation continuation(String query, String token) {
        if (token.length() > MAX) {
            throw new InvalidPageTokenException(
                    "a page token has at most " + MAX + " characters, not " + token.length(), null);
        }
        try (DataInputStream in = new DataInputStream(
                new ByteArrayInputStream(Base64.getUrlDecoder().decode(token)))) {
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw new InvalidPageTokenException(
                        "this is no page token of this version: its format is " + version + ", not " + VERSION, null);
            }
            if (in.readInt() != checksum(query)) {
                throw new InvalidPageTokenException(
                        "the page token belongs to another query: table and conditions must be the same", null);
            }
            Continuation next = new Continuation(read(in), read(in), null);
            if (in.read() >= 0 || next.partitionKey() == null) {
                throw new IOException("it does not end where its keys end");
            }
            return next;
        } catch (InvalidPageTokenException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw new InvalidPageTokenException(
                    "the text is no page token: '" + PrintableText.of(shown(token)) + "'", e);
        }
    }

    /** Returns the failure of a query whose place, which its token names, the service refuses: the library writes no such place. */
    static InvalidPageTokenException refused(BadRequestException refusal) {
        return new InvalidPageTokenException(
                "the service refuses the place that the page token names: it is no token of this library, or was"
                        + " altered",
                refusal);
    }

    private static String shown(String token) {
        return token.length() <= 40 ? token : token.substring(0, 40) + "…";
    }

    private static int checksum(String query) {
        CRC32 crc = new CRC32();
        crc.update(query.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue();
    }

    private static void write(DataOutputStream out, @Nullable String text) throws IOException {
        out.writeBoolean(text != null);
        if (text != null) {
            out.writeUTF(text);
        }
    }

    private static @Nullable String read(DataInputStream in) throws IOException {
        return in.readBoolean() ? in.readUTF() : null;
    }
}
