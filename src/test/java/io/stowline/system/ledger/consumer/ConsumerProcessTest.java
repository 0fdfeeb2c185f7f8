package io.stowline.system.ledger.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.consumer.DeliveryReport.Certainty;
import io.stowline.system.ledger.consumer.DeliveryReport.Claim;
import io.stowline.system.ledger.subject.Client;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsumerProcessTest {

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final HandlingEvents printed =
            ConsumerProcess.printedTo(new PrintStream(output, true, StandardCharsets.UTF_8));
    private final ReportBook book = new ReportBook();

    private void read() {
        output.toString(StandardCharsets.UTF_8).lines().forEach(line -> ConsumerProcess.read(line, book));
    }

    @Test
    void whatAProcessPrintsIsWhatItsConsumerReported() {
        DeliveryReport own = DeliveryReport.now(3, "m1", 2, Claim.DELETED, Certainty.UNKNOWN, "complete(): lost");
        DeliveryReport end = DeliveryReport.now(3, "m1", 0, Claim.SHOWN_AGAIN, Certainty.CONFIRMED, "RETRIED, null");
        printed.received("request", 17);
        printed.begins(3, "m1", 2);
        printed.handles("m1");
        printed.interrupted();
        printed.reports(own);
        printed.ends(end);

        read();

        assertThat(book.handled()).containsEntry("m1", 1);
        assertThat(book.interruptions()).isOne();
        assertThat(book.begunAt("request", 20)).isEqualTo(17);
        assertThat(book.begunAt("another", 20)).isEqualTo(20);
        assertThat(book.isReceived("request")).isTrue();
        assertThat(book.isReceived("another")).isFalse();
        assertThat(book.reports()).containsExactly(own, end.ofDelivery(2));
    }

    @Test
    void aReportIsOneLineWhateverItsText() {
        printed.reports(DeliveryReport.now(0, "m1", 1, Claim.DELETED, Certainty.REFUSED, "first\n second ;\n third"));

        read();

        assertThat(book.reports()).singleElement().returns("first second ; third", DeliveryReport::text);
    }

    @Test
    void aLineThatTheKillHasCutIsNoEvent() {
        printed.handles("m1");
        String line = output.toString(StandardCharsets.UTF_8).strip();

        ConsumerProcess.read(line.substring(0, line.length() - 1), book);

        assertThat(book.handled()).isEmpty();
    }

    @Test
    void aProcessGetsItsLaunchAsItIs() {
        ConsumerLaunch launch =
                new ConsumerLaunch(Client.SDK, 4, "DefaultEndpointsProtocol=http;AccountName=a", "queue", 17);

        assertThat(ConsumerLaunch.of(launch.arguments().toArray(String[]::new))).isEqualTo(launch);
    }
}
