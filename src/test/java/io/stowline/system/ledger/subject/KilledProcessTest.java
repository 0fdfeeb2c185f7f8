package io.stowline.system.ledger.subject;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.outcome.WriteMarkers;
import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.ClosingPoint;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.ReportedResult.Sort;
import io.stowline.system.ledger.script.Verb;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KilledProcessTest {

    private final KilledProcess process = new KilledProcess(new ClosingPoint());

    @Test
    void tellsWhatWasReportedFromWhatIsLeftInTheJournal() {
        process.note("accepted 0");
        process.note("accepted 1");
        process.note(JournaledProcess.line(0, ReportedResult.done(true, "W/\"datetime'2026 11'\"")));

        assertThat(process.result(0).orElseThrow().sort()).isEqualTo(Sort.DONE);
        assertThat(process.result(0).orElseThrow().repeated()).isTrue();
        assertThat(process.result(0).orElseThrow().etag()).isEqualTo("W/\"datetime'2026 11'\"");
        assertThat(process.result(1)).as("left in the journal").isEmpty();
    }

    @Test
    void anOperationThatWasNotAcceptedMayBeInTheJournalAndLaterOnesAreNot() {
        process.note("accepted 0");

        assertThat(process.result(1)).map(ReportedResult::sort).contains(Sort.UNKNOWN);
        assertThat(process.result(2)).map(ReportedResult::sort).contains(Sort.REFUSED);
    }

    @Test
    void aLineThatTheKillHasCutIsNoResult() {
        String line = JournaledProcess.line(0, ReportedResult.of(Sort.REFUSED, "a text of several words"));
        process.note("accepted 0");
        process.note(line.substring(0, line.length() - 1));

        assertThat(process.result(0)).isEqualTo(Optional.empty());
    }

    @Test
    void aProcessGetsItsChangesAsTheyAre() {
        List<Change> changes = List.of(
                new Change(Verb.REPLACE_ANY, new Key("p", "r"), "w0-1", ""),
                new Change(Verb.DELETE, new Key("p", "n-w0-1"), "", ""));
        StowlineConnection connection =
                new StowlineConnection("UseDevelopmentStorage=true", Duration.ofMillis(300), WriteMarkers.ALL);

        List<String> arguments = JournaledProcess.arguments(connection, "t", Path.of("folder"), changes);

        assertThat(JournaledProcess.changes(arguments.subList(JournaledProcess.SETTINGS, arguments.size())))
                .isEqualTo(changes);
    }
}
