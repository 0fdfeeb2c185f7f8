package io.stowline.testkit.internal.strict;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A sample of each rule. */
final class Samples {

    private Samples() {}

    /** Returns the resources that the samples need to be about the rules. */
    static List<StrictProbe> setup() {
        List<StrictProbe> setup = new ArrayList<>(List.of(
                table(TableSamples.TABLE),
                table(TableSamples.OTHER),
                BatchText.probe(BatchText.insert(TableSamples.TABLE, "dm", "1")),
                BatchText.probe(BatchText.insert(TableSamples.TABLE, "be", "1")),
                StrictProbe.queue("PUT", "/" + QueueSamples.QUEUE)));
        setup.addAll(BlobSamples.setup());
        return setup;
    }

    private static StrictProbe table(String name) {
        return StrictProbe.table("POST", "/Tables").json("{\"TableName\":\"" + name + "\"}");
    }

    static List<StrictSample> all(Clock clock) {
        return Stream.of(
                        TableSamples.batches(),
                        EntitySamples.all(),
                        TableSamples.names(),
                        TableSamples.queries(),
                        TableSamples.conditions(),
                        TableSamples.signatures(),
                        QueueSamples.all(),
                        BlobSamples.all(),
                        CommonSamples.all(clock))
                .flatMap(List::stream)
                .toList();
    }
}
