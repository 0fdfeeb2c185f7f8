package io.stowline.benchmarks.side.bare;

import io.netty.buffer.ByteBuf;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Orders;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Sends of single messages, encoded by hand; of the response only the status is read. */
public final class BareSend implements BareExchange {

    private static final int CREATED = 201;
    private static final byte[] START = ascii("<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessage><MessageText>");
    private static final byte[] END = ascii("</MessageText></QueueMessage>");

    private final byte[] head;
    private long sent;

    public BareSend(Account account) {
        head = ascii(BareReceive.head("POST /" + account.name() + "/" + Account.QUEUE + "/messages")
                + "Content-Type: application/xml\r\nContent-Length: ");
    }

    @Override
    public void request(ByteBuf out) {
        byte[] text = Base64.getEncoder().encode(Orders.message(sent++).getBytes(StandardCharsets.UTF_8));
        out.writeBytes(head);
        out.writeCharSequence(Integer.toString(START.length + text.length + END.length), StandardCharsets.US_ASCII);
        out.writeCharSequence("\r\n\r\n", StandardCharsets.US_ASCII);
        out.writeBytes(START).writeBytes(text).writeBytes(END);
    }

    @Override
    public int response(int status, ByteBuf body) {
        if (status != CREATED) {
            throw new IllegalStateException("a send was answered with " + status);
        }
        return 1;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
