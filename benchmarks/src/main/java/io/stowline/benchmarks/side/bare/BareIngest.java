package io.stowline.benchmarks.side.bare;

import io.netty.buffer.ByteBuf;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Order;
import io.stowline.benchmarks.side.work.Orders;
import java.nio.charset.StandardCharsets;

/** Transactions of a hundred entities, encoded by hand straight into the buffer that is sent. */
public final class BareIngest implements BareExchange {

    private static final int BATCH = 100;
    private static final int ACCEPTED = 202;
    private static final String ID = "0c8a4f4a-1f10-4f27-9a52-2c1e5b1a7d3f";
    private static final String LENGTH = "0000000";

    private static final byte[] BODY =
            ascii("--batch_" + ID + "\r\nContent-Type: multipart/mixed; boundary=changeset_" + ID + "\r\n\r\n");
    private static final byte[] BODY_END = ascii("--changeset_" + ID + "--\r\n--batch_" + ID + "--\r\n");
    private static final byte[] ADDRESS_END =
            ascii("') HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\nDataServiceVersion: 3.0\r\n"
                    + "Content-Type: application/json\r\n\r\n{\"PartitionKey\":\"");

    private final byte[] head;
    private final byte[] part;
    private long written;

    public BareIngest(Account account) {
        head = ascii("POST /" + account.name() + "/$batch HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + "Content-Type: multipart/mixed; boundary=batch_" + ID
                + "\r\nx-ms-version: 2019-02-02\r\nAuthorization: SharedKey acct:bm90aGluZyBpcyBjaGVja2VkIGhlcmU=\r\n"
                + "x-ms-date: Sat, 21 Nov 2026 03:48:35 GMT\r\nContent-Length: " + LENGTH + "\r\n\r\n");
        part = ascii("--changeset_" + ID
                + "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPUT "
                + account.endpoint() + "/" + Account.WRITTEN + "(PartitionKey='");
    }

    @Override
    public void request(ByteBuf out) {
        out.ensureWritable(160 * 1024);
        out.writeBytes(head);
        int bodyAt = out.writerIndex();
        out.writeBytes(BODY);
        String partition = Orders.partition(written / BATCH);
        for (int i = 0; i < BATCH; i++) {
            entity(out, Orders.order(partition, written++));
        }
        out.writeBytes(BODY_END);
        length(out, bodyAt);
    }

    /** Writes seven digits, of which the first may be zeros. */
    private static void length(ByteBuf out, int bodyAt) {
        int length = out.writerIndex() - bodyAt;
        for (int i = 0; i < LENGTH.length(); i++) {
            out.setByte(bodyAt - 5 - i, '0' + length % 10);
            length /= 10;
        }
    }

    private void entity(ByteBuf out, Order order) {
        out.writeBytes(part);
        text(out, order.partition());
        text(out, "',RowKey='");
        text(out, order.row());
        out.writeBytes(ADDRESS_END);
        text(out, order.partition());
        text(out, "\",\"RowKey\":\"");
        text(out, order.row());
        text(out, "\",\"customer\":\"");
        text(out, order.customer());
        text(out, "\",\"address\":\"");
        text(out, order.address());
        text(out, "\",\"items\":\"");
        text(out, order.items());
        text(out, "\",\"comment\":\"");
        text(out, order.comment());
        text(out, "\",\"carrier\":\"");
        text(out, order.carrier());
        text(out, "\",\"quantity\":");
        text(out, Integer.toString(order.quantity()));
        text(out, ",\"number@odata.type\":\"Edm.Int64\",\"number\":\"");
        text(out, Long.toString(order.number()));
        text(out, "\",\"total\":");
        text(out, Double.toString(order.total()));
        text(out, order.paid() ? ",\"paid\":true" : ",\"paid\":false");
        text(out, ",\"placed@odata.type\":\"Edm.DateTime\",\"placed\":\"");
        text(out, order.placed().toString());
        text(out, "\"}\r\n");
    }

    @Override
    public int response(int status, ByteBuf body) {
        if (status != ACCEPTED) {
            throw new IllegalStateException("a transaction was answered with " + status);
        }
        return BATCH;
    }

    private static void text(ByteBuf out, String text) {
        out.writeCharSequence(text, StandardCharsets.US_ASCII);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
