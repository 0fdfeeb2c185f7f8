package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import java.util.List;

/** The samples of the rules of queues. */
final class QueueSamples {

    static final String QUEUE = "strict";
    private static final String MESSAGES = "/" + QUEUE + "/messages";
    private static final String MESSAGE = MESSAGES + "/00000000-0000-0000-0000-000000000000";

    private QueueSamples() {}

    static List<StrictSample> all() {
        return List.of(
                new StrictSample(
                        StrictRule.QUEUE_NAME,
                        StrictProbe.queue("PUT", "/two--dashes"),
                        StrictProbe.queue("PUT", "/one-dash")),
                new StrictSample(
                        StrictRule.QUEUE_NAME_LENGTH,
                        StrictProbe.queue("PUT", "/" + "q".repeat(64)),
                        StrictProbe.queue("PUT", "/" + "q".repeat(63))),
                new StrictSample(StrictRule.MESSAGE_SIZE, message("", 65_537), message("", 65_536)),
                new StrictSample(
                        StrictRule.MESSAGE_COUNT,
                        StrictProbe.queue("GET", MESSAGES + "?numofmessages=0"),
                        StrictProbe.queue("GET", MESSAGES + "?numofmessages=32")),
                new StrictSample(
                        StrictRule.VISIBILITY_RANGE,
                        StrictProbe.queue("GET", MESSAGES + "?visibilitytimeout=604801"),
                        StrictProbe.queue("GET", MESSAGES + "?visibilitytimeout=604800")),
                new StrictSample(StrictRule.TTL_RANGE, message("?messagettl=0", 1), message("?messagettl=-1", 1)),
                new StrictSample(
                        StrictRule.VISIBILITY_BEYOND_TTL,
                        message("?visibilitytimeout=60&messagettl=60", 1),
                        message("?visibilitytimeout=59&messagettl=60", 1)),
                new StrictSample(
                        StrictRule.POP_RECEIPT_MISSING,
                        StrictProbe.queue("DELETE", MESSAGE),
                        StrictProbe.queue("DELETE", MESSAGE + "?popreceipt=x")),
                new StrictSample(
                        StrictRule.VISIBILITY_MISSING,
                        StrictProbe.queue("PUT", MESSAGE + "?popreceipt=x"),
                        StrictProbe.queue("PUT", MESSAGE + "?popreceipt=x&visibilitytimeout=0")));
    }

    private static StrictProbe message(String query, int length) {
        return StrictProbe.queue("POST", MESSAGES + query)
                .body(
                        "application/xml",
                        "<QueueMessage><MessageText>" + "&lt;".repeat(length) + "</MessageText></QueueMessage>");
    }
}
