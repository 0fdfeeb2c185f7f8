package io.stowline.benchmarks.side.bare;

import io.netty.buffer.ByteBuf;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Blobs;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Uploads of blobs with their MD5; of the response only the status is read. */
public final class BareUpload implements BareExchange {

    private static final int CREATED = 201;

    private final byte[] path;
    private final byte[] rest;
    private final MessageDigest md5;
    private long sent;

    public BareUpload(Account account) {
        path = ("PUT /" + account.name() + "/" + Blobs.CONTAINER + "/").getBytes(StandardCharsets.US_ASCII);
        rest = (BareReceive.head("") + "x-ms-blob-type: BlockBlob\r\nContent-Length: " + Blobs.SIZE
                        + "\r\nContent-MD5: ")
                .getBytes(StandardCharsets.US_ASCII);
        try {
            md5 = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has MD5", e);
        }
    }

    @Override
    public void request(ByteBuf out) {
        out.writeBytes(path);
        out.writeCharSequence(Blobs.name(sent++), StandardCharsets.US_ASCII);
        out.writeBytes(rest).writeBytes(Base64.getEncoder().encode(md5.digest(Blobs.CONTENT)));
        out.writeCharSequence("\r\n\r\n", StandardCharsets.US_ASCII);
        out.writeBytes(Blobs.CONTENT);
    }

    @Override
    public int response(int status, ByteBuf body) {
        if (status != CREATED) {
            throw new IllegalStateException("an upload was answered with " + status);
        }
        return 1;
    }
}
