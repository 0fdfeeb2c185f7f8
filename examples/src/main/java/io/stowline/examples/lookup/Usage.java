package io.stowline.examples.lookup;

import io.stowline.examples.shared.RequestLog;
import io.stowline.testkit.FaultProxy.TrafficStats;
import io.stowline.testkit.StorageService;
import java.util.Locale;

/** What the reading client uses from a moment on, beside what a read without the cache does. */
final class Usage {

    private final RequestCounter wire;
    private final RequestLog log;
    private final TrafficStats tablesBefore;
    private final TrafficStats blobsBefore;
    private final long setting;
    private final long prices;

    private Usage(RequestCounter wire, RequestLog log, long setting, long prices) {
        this.wire = wire;
        this.log = log;
        this.setting = setting;
        this.prices = prices;
        this.tablesBefore = wire.traffic(StorageService.TABLE);
        this.blobsBefore = wire.traffic(StorageService.BLOB);
        log.clear();
    }

    /** Reads once without the cache, and counts from then on. */
    static Usage of(Shop shop, RequestCounter wire, RequestLog log) {
        long tables = wire.traffic(StorageService.TABLE).bytesOut();
        long blobs = wire.traffic(StorageService.BLOB).bytesOut();
        shop.readAll();
        return new Usage(
                wire,
                log,
                wire.traffic(StorageService.TABLE).bytesOut() - tables,
                wire.traffic(StorageService.BLOB).bytesOut() - blobs);
    }

    /** What it came to. */
    Overview overview(Tally settingReads, Tally priceReads) {
        return new Overview(
                column(settingReads, StorageService.TABLE, tablesBefore, setting),
                column(priceReads, StorageService.BLOB, blobsBefore, prices),
                wire.counts());
    }

    private Column column(Tally tally, StorageService service, TrafficStats before, long answer) {
        long bytes = wire.traffic(service).bytesOut() - before.bytesOut();
        return new Column(tally, log.requests(service.name().toLowerCase(Locale.ROOT)), bytes, answer);
    }
}
