package io.stowline.table.internal.index.repair;

import io.stowline.table.IndexedTable.IndexReport;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The findings of a repair, one report for each kind, and their sum. */
final class IndexFindings {

    static final IndexReport NOTHING = new IndexReport(0, 0, 0, 0, 0);
    static final IndexReport ENTITY = new IndexReport(1, 0, 0, 0, 0);
    static final IndexReport ADDED = new IndexReport(0, 1, 0, 0, 0);
    static final IndexReport REMOVED = new IndexReport(0, 0, 1, 0, 0);
    static final IndexReport REWRITTEN = new IndexReport(0, 0, 0, 1, 0);
    static final IndexReport UNRESOLVED = new IndexReport(0, 0, 0, 0, 1);

    private IndexFindings() {}

    /** Returns the sum of findings. */
    static Mono<IndexReport> sum(Flux<IndexReport> findings) {
        return findings.reduce(NOTHING, IndexReport::and);
    }

    /** Returns the report without its entities, which are counted already. */
    static IndexReport withoutEntities(IndexReport report) {
        return new IndexReport(0, report.added(), report.removed(), report.rewritten(), report.unresolved());
    }
}
