package io.stowline.examples.marathon;

import io.stowline.Stowline;
import io.stowline.examples.shared.Mismatches;
import io.stowline.examples.shared.RequestLog;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.table.Entity;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.ReactiveIndexedTable;
import io.stowline.table.TimeSeries;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import reactor.core.publisher.Flux;

/**
 * Registers runners, asks for them, changes some, counts them at the finish, and proves that index rows and entities agree.
 *
 * @param storage the account
 * @param log what is sent there
 * @param out where to tell about it
 */
record MarathonJob(Stowline storage, RequestLog log, PrintStream out) {

    private static final int AT_A_TIME = 16;

    /** Does it with so many runners in each race, and returns what is not as it should be. */
    List<String> run(int runners) {
        Mismatches differences = new Mismatches();
        QueryReporter enquiries = new QueryReporter(log, out, differences);
        ExpectedEntities book = ExpectedEntities.of(Race.ALL, runners);
        try (ScratchTable<Registration> table = ScratchTable.create(storage, "marathon", Registration.class);
                ScratchTable<Entity> times = ScratchTable.create(storage, "finish", Entity.class)) {
            Registrations registrations = new Registrations(table.table());
            register(registrations, book);
            new Questions(registrations, book, enquiries).ask();
            new Changes(registrations, book, enquiries).make();
            new Finish(times.table().series("finishers", Integer.class, TimeSeries.Layout.MINUTES_OF_HOUR), enquiries)
                    .record(Race.NEW_YORK, book.of(Race.NEW_YORK));
            compare(registrations, book, differences);
        }
        return differences.list();
    }

    private void register(Registrations registrations, ExpectedEntities book) {
        log.clear();
        ReactiveIndexedTable<Registration> indexed = registrations.indexed().reactive();
        Flux.fromIterable(book.where(runner -> true))
                .flatMap(indexed::insert, AT_A_TIME)
                .blockLast();
        out.printf(
                Locale.ROOT,
                "Registered %,d runners in %d races, each with two index rows, by %,d transactions%n",
                book.size(),
                Race.ALL.size(),
                log.requests());
    }

    private void compare(Registrations registrations, ExpectedEntities book, Mismatches differences) {
        differences.expect("runners", registrations.indexed().query().list(), book.where(runner -> true));
        log.clear();
        IndexReport report = registrations.indexed().repair();
        out.printf(
                Locale.ROOT,
                "Compared %,d runners with their index rows by %,d requests: %s%n",
                report.entities(),
                log.requests(),
                report.clean() ? "no differences" : report);
        differences.expect("repair", report, new IndexReport(book.size(), 0, 0, 0, 0));
    }
}
