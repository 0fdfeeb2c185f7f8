package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.HttpDate;
import io.stowline.testkit.internal.wire.XmlDocument;
import java.time.Instant;
import java.util.Locale;

/** A state of a blob or container. */
record MemoryVersion(Instant changed, String etag) {

    static MemoryVersion next(ServiceTimes times) {
        Instant changed = times.change();
        long ticks = changed.getEpochSecond() * 10_000_000 + changed.getNano() / 100;
        return new MemoryVersion(changed, "\"0x" + Long.toHexString(ticks).toUpperCase(Locale.ROOT) + "\"");
    }

    StubResponse on(StubResponse response) {
        return response.header("ETag", etag).header("Last-Modified", HttpDate.format(changed));
    }

    String xml() {
        return XmlDocument.element("Last-Modified", HttpDate.format(changed)) + XmlDocument.element("Etag", etag);
    }
}
