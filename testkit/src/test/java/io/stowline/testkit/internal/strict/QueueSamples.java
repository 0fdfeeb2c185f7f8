package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import java.util.List;

/** The samples of the rules of queues. */
final class QueueSamples {

    static final String QUEUE = "strict";
    private static final String MESSAGES = "/" + QUEUE + "/messages";
    private static final String MESSAGE = MESSAGES + "/00000000-0000-0000-0000-000000000000";

    private QueueSamples() {}

    static List<Sample> all() {
        return List.of(
                new Sample(StrictRule.QUEUE_NAME, Probe.queue("PUT", "/two--dashes"), Probe.queue("PUT", "/one-dash")),
                new Sample(
                        StrictRule.QUEUE_NAME_LENGTH,
                        Probe.queue("PUT", "/" + "q".repeat(64)),
                        Probe.queue("PUT", "/" + "q".repeat(63))),
                new Sample(StrictRule.MESSAGE_SIZE, message("", 65_537), message("", 65_536)),
                new Sample(
                        StrictRule.MESSAGE_COUNT,
                        Probe.queue("GET", MESSAGES + "?numofmessages=0"),
                        Probe.queue("GET", MESSAGES + "?numofmessages=32")),
                new Sample(
                        StrictRule.VISIBILITY_RANGE,
                        Probe.queue("GET", MESSAGES + "?visibilitytimeout=604801"),
                        Probe.queue("GET", MESSAGES + "?visibilitytimeout=604800")),
                new Sample(StrictRule.TTL_RANGE, message("?messagettl=0", 1), message("?messagettl=-1", 1)),
                new Sample(
                        StrictRule.VISIBILITY_BEYOND_TTL,
                        message("?visibilitytimeout=60&messagettl=60", 1),
                        message("?visibilitytimeout=59&messagettl=60", 1)),
                new Sample(
                        StrictRule.POP_RECEIPT_MISSING,
                        Probe.queue("DELETE", MESSAGE),
                        Probe.queue("DELETE", MESSAGE + "?popreceipt=x")),
                new Sample(
                        StrictRule.VISIBILITY_MISSING,
                        Probe.queue("PUT", MESSAGE + "?popreceipt=x"),
                        Probe.queue("PUT", MESSAGE + "?popreceipt=x&visibilitytimeout=0")));
    }

    private static Probe message(String query, int length) {
        return Probe.queue("POST", MESSAGES + query)
                .body(
                        "application/xml",
                        "<QueueMessage><MessageText>" + "&lt;".repeat(length) + "</MessageText></QueueMessage>");
    }
}
