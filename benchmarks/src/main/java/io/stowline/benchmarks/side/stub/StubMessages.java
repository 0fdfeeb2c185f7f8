package io.stowline.benchmarks.side.stub;

import io.stowline.benchmarks.side.work.Orders;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;

/** Messages in the XML of the queue service, as its pages "Put Message" and "Get Messages" show them. */
final class StubMessages {

    private static final String HEAD = "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?>";

    private StubMessages() {}

    static String sent() {
        return HEAD + "<QueueMessagesList>" + message(0, "") + "</QueueMessagesList>";
    }

    /** Returns the messages of these numbers. */
    static String received(long from, long to) {
        StringBuilder list = new StringBuilder(HEAD).append("<QueueMessagesList>");
        for (long i = from; i < to; i++) {
            String text = Base64.getEncoder().encodeToString(Orders.message(i).getBytes(StandardCharsets.UTF_8));
            list.append(message(i, "<DequeueCount>1</DequeueCount><MessageText>" + text + "</MessageText>"));
        }
        return list.append("</QueueMessagesList>").toString();
    }

    private static String message(long number, String more) {
        return "<QueueMessage><MessageId>" + new UUID(0x5974b5860df34e2dL, number) + "</MessageId>"
                + "<InsertionTime>Sat, 21 Nov 2026 03:48:35 GMT</InsertionTime>"
                + "<ExpirationTime>Sat, 28 Nov 2026 03:48:35 GMT</ExpirationTime>"
                + "<PopReceipt>AgAAAAMAAAAAAAAAb+9/yQlb2wE=</PopReceipt>"
                + "<TimeNextVisible>Sat, 21 Nov 2026 03:49:05 GMT</TimeNextVisible>" + more + "</QueueMessage>";
    }
}
