package io.stowline.benchmarks.side.bare;

import io.netty.buffer.ByteBuf;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Blobs;
import java.nio.charset.StandardCharsets;

/** Downloads of blobs, each into an array for its caller. */
public final class BareDownload implements BareExchange {

    private static final int OK = 200;

    private final byte[] path;
    private final byte[] rest = (BareReceive.head("") + "\r\n").getBytes(StandardCharsets.US_ASCII);
    private long requested;

    public BareDownload(Account account) {
        path = ("GET /" + account.name() + "/" + Blobs.CONTAINER + "/").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void request(ByteBuf out) {
        out.writeBytes(path);
        out.writeCharSequence(Blobs.name(requested++), StandardCharsets.US_ASCII);
        out.writeBytes(rest);
    }

    @Override
    public int response(int status, ByteBuf body) {
        byte[] content = new byte[body.readableBytes()];
        body.readBytes(content);
        if (status != OK || content.length != Blobs.SIZE) {
            throw new IllegalStateException("a download was answered with " + status);
        }
        return 1;
    }
}
