package io.stowline.benchmarks.side.bare;

import io.netty.buffer.ByteBuf;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Orders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;

/**
 * Receives of many messages and the delete of each, parsed by hand. A connection deletes a message that was received, and receives when
 * none is left.
 */
public final class BareReceive implements BareExchange {

    private static final int OK = 200;
    private static final int NO_CONTENT = 204;

    private final Deque<String> received = new ArrayDeque<>();
    private final byte[] receive;
    private final String path;
    private final byte[] deleteEnd;
    private byte[] text = new byte[32 * 1024];

    public BareReceive(Account account) {
        String queue = "/" + account.name() + "/" + Account.QUEUE + "/messages";
        receive = (head("GET " + queue + "?numofmessages=" + Orders.RECEIVED + "&visibilitytimeout=30") + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        path = "DELETE " + queue + "/";
        deleteEnd = (head("") + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the head of a request up to its last header that all of them have. */
    static String head(String line) {
        return String.join(
                "\r\n",
                line + " HTTP/1.1",
                "Host: 127.0.0.1",
                "Accept: application/xml",
                "x-ms-version: 2019-02-02",
                "Authorization: SharedKey acct:bm90aGluZyBpcyBjaGVja2VkIGhlcmU=",
                "x-ms-date: Sat, 21 Nov 2026 03:48:35 GMT",
                "");
    }

    @Override
    public void request(ByteBuf out) {
        String message = received.poll();
        if (message == null) {
            out.writeBytes(receive);
        } else {
            out.writeCharSequence(path, StandardCharsets.US_ASCII);
            out.writeCharSequence(message, StandardCharsets.US_ASCII);
            out.writeBytes(deleteEnd);
        }
    }

    @Override
    public int response(int status, ByteBuf body) {
        if (status == NO_CONTENT) {
            return 0;
        }
        if (status != OK) {
            throw new IllegalStateException("a request was answered with " + status);
        }
        int length = body.readableBytes();
        if (length > text.length) {
            text = new byte[2 * length];
        }
        body.readBytes(text, 0, length);
        String list = new String(text, 0, length, StandardCharsets.ISO_8859_1);
        int messages = 0;
        for (int at = list.indexOf("<MessageId>"); at >= 0; at = list.indexOf("<MessageId>", at + 1)) {
            byte[] content = Base64.getDecoder().decode(element(list, "<MessageText>", at));
            if (!new String(content, StandardCharsets.UTF_8).isEmpty()) {
                received.add(
                        element(list, "<MessageId>", at) + "?popreceipt=" + escaped(element(list, "<PopReceipt>", at)));
                messages++;
            }
        }
        return messages;
    }

    private static String element(String list, String tag, int from) {
        int begin = list.indexOf(tag, from) + tag.length();
        return list.substring(begin, list.indexOf('<', begin));
    }

    private static String escaped(String receipt) {
        return receipt.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D");
    }
}
