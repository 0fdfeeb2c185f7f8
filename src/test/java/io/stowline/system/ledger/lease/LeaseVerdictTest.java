package io.stowline.system.ledger.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.lease.LeaseBook.Holding;
import io.stowline.system.ledger.lease.LeaseVerdict.Origin;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.ReportedResult.Sort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseVerdictTest {

    private final LeaseBook book = new LeaseBook();
    private final Map<String, Origin> origins = new HashMap<>();
    private final List<LeaseSending> sendings = new ArrayList<>();
    private final Set<String> beyond = new HashSet<>();

    private void reported(int worker, int step, LeaseKind kind, Sort sort, String text) {
        book.add(new LeaseCase(worker, step, kind, "b", "", 0, ReportedResult.of(sort, text), 10, 20));
    }

    private void sent(int worker, int step, LeaseKind kind, long at, int status) {
        String id = worker + "-" + step;
        origins.put(id, new Origin(worker, step));
        sendings.add(new LeaseSending(id, "PUT", "/account/c/b", kind.action(), "", 0, at, status));
    }

    private void uploaded(long term, Sort sort, String text, long start, long end) {
        String content = "content " + book.cases().size();
        book.add(new LeaseCase(0, 1, LeaseKind.UPLOAD, "b", content, term, ReportedResult.of(sort, text), start, end));
        boolean applied = sort == Sort.DONE;
        sendings.add(new LeaseSending(
                content, "PUT", "/account/c/b", "", content, term, (start + end) / 2, applied ? 201 : 412));
    }

    private List<String> rules() {
        return new LeaseVerdict(book, origins, sendings, beyond, List.of())
                .violations().stream().map(story -> story.split(" ", 2)[0]).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "ACQUIRE,DONE,201,",
        "ACQUIRE,DONE,409,DONE_BUT_NEVER_APPLIED",
        "ACQUIRE,REFUSED,409,",
        "ACQUIRE,REFUSED,201,REFUSED_BUT_APPLIED",
        "ACQUIRE,UNKNOWN,201,",
        "BREAK,REFUSED,202,REFUSED_BUT_APPLIED",
        "BREAK,DONE,409,",
        "CHANGE,DONE,409,DONE_BUT_NEVER_APPLIED",
        "CREATE_QUEUE,DONE,204,DONE_BUT_NEVER_APPLIED",
        "CREATE_CONTAINER,REFUSED,201,REFUSED_BUT_APPLIED",
    })
    void aReportIsComparedWithWhatWasDone(LeaseKind kind, Sort sort, int status, String broken) {
        reported(0, 1, kind, sort, "");
        sent(0, 1, kind, 15, status);
        sent(1, 1, kind, 16, 201);

        assertThat(rules()).isEqualTo(broken == null ? List.of() : List.of(broken));
    }

    @Test
    void aRequestAfterItsHorizonIsNotHeldAgainstAClient() {
        reported(0, 1, LeaseKind.ACQUIRE, Sort.REFUSED, "");
        sent(0, 1, LeaseKind.ACQUIRE, 15, 201);
        beyond.add("0-1");

        assertThat(rules()).isEmpty();
    }

    @Test
    void twoHoldersAtOnceAreReportedUnlessTheLeaseWasBroken() {
        book.add(new Holding(0, "b", 0, 10, 20));
        book.add(new Holding(1, "b", 0, 20, 30));
        assertThat(rules()).isEmpty();

        book.add(new Holding(2, "b", 0, 25, 40));
        assertThat(rules()).containsExactly("TWO_HOLDERS");

        sent(3, 1, LeaseKind.BREAK, 22, 202);
        assertThat(rules()).isEmpty();
    }

    @Test
    void aNumberIsOfOneTerm() {
        book.add(new Holding(0, "b", 7, 10, 20));
        book.add(new Holding(1, "b", 7, 30, 40));

        assertThat(rules()).containsExactly("SAME_TERM");
    }

    @Test
    void oneCallCreatesAName() {
        for (int worker = 0; worker < 2; worker++) {
            reported(worker, 1, LeaseKind.CREATE_TABLE, Sort.DONE, "");
            sent(worker, 1, LeaseKind.CREATE_TABLE, 15, 201);
        }

        assertThat(rules()).containsExactly("TWO_CREATORS");
    }

    @Test
    void aLeaderIsRefusedByALaterTermOnly() {
        uploaded(1, Sort.DONE, "", 10, 20);
        uploaded(1, Sort.REFUSED, "PreconditionFailedException", 20, 30);
        assertThat(rules()).containsExactly("REFUSED_WITHOUT_A_LATER_TERM");

        uploaded(2, Sort.DONE, "", 20, 22);
        assertThat(rules()).isEmpty();
    }

    @Test
    void aFormerLeaderWritesNoMore() {
        uploaded(2, Sort.DONE, "", 10, 20);
        uploaded(1, Sort.DONE, "", 30, 40);

        assertThat(rules()).containsExactly("WRITTEN_AFTER_A_LATER_TERM");
    }
}
