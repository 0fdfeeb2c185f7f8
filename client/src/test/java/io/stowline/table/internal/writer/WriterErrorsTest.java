package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.writer.FailedItem;
import io.stowline.batching.internal.writer.UncollectedItems;
import io.stowline.error.ClosedException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.outcome.ItemResult;
import io.stowline.table.BufferFullException;
import io.stowline.table.DeliveryTimeoutException;
import io.stowline.table.GaveUpException;
import io.stowline.table.LeftoverException;
import io.stowline.table.PredecessorFailedException;
import io.stowline.table.PredecessorUnknownException;
import io.stowline.table.UncollectedFailuresException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WriterErrorsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final WriterErrors errors = new WriterErrors();
    private final IOException dead = new IOException("dead");

    @Test
    void makesTheRefusals() {
        assertThat(errors.bufferFull("no room"))
                .isInstanceOf(BufferFullException.class)
                .hasMessage("no room");
        assertThat(errors.closed("the writer is closed"))
                .isInstanceOf(ClosedException.class)
                .hasMessage("the writer is closed");
        assertThat(errors.oversize(5_000, 4_000))
                .isInstanceOf(IllegalArgumentException.class)
                .matches(WriterErrors::isOversize)
                .hasMessage("a batch of this item alone takes 5000 bytes, the limit is 4000");
        InterruptedException interrupt = new InterruptedException();
        assertThat(errors.interrupted("interrupted", interrupt))
                .isInstanceOf(WaitInterruptedException.class)
                .hasMessage("interrupted")
                .hasCause(interrupt);
    }

    @Test
    void makesTheEndsOfItems() {
        assertThat(errors.deliveryTimeout("not delivered", MINUTE, dead))
                .isInstanceOfSatisfying(DeliveryTimeoutException.class, late -> assertThat(late.timeout())
                        .isEqualTo(MINUTE))
                .hasMessage("not delivered")
                .hasCause(dead);
        assertThat(errors.leftover("a", true))
                .isInstanceOfSatisfying(LeftoverException.class, leftover -> {
                    assertThat(leftover.item()).isEqualTo("a");
                    assertThat(leftover.sent()).isTrue();
                })
                .hasMessageContaining("may have had its effect");
        assertThat(errors.leftover("a", false)).hasMessage("not sent at the deadline of close");
        assertThat(errors.predecessorFailed("e", dead))
                .isInstanceOf(PredecessorFailedException.class)
                .hasMessageContaining("entity e")
                .hasCause(dead);
        assertThat(errors.predecessorUnknown(7, "e", dead))
                .isInstanceOfSatisfying(PredecessorUnknownException.class, unknown -> assertThat(unknown.entity())
                        .isEqualTo(7))
                .hasMessageContaining("entity e")
                .hasCause(dead);
    }

    @Test
    @DisplayName("BATCH-9: the exception of a close counts all failures and names their kinds")
    void countsFailures() {
        UncollectedItems items =
                new UncollectedItems(List.of(new FailedItem("a", dead)), Map.of(IOException.class, 1_500L));

        assertThat(errors.atClose(null, items))
                .isInstanceOfSatisfying(UncollectedFailuresException.class, failures -> {
                    assertThat(failures.count()).isEqualTo(1_500);
                    assertThat(failures.failures()).containsExactly(new ItemResult<>("a", null, dead));
                })
                .hasMessageContaining("1500 items failed")
                .hasMessageContaining("IOException 1500")
                .hasCause(dead);
        assertThat(errors.atClose(null, null)).isNull();
        assertThat(errors.atClose(dead, null)).isNull();
    }

    @Test
    @DisplayName("BATCH-9: each caller of close gets a separate exception of a writer that gave up")
    void copiesTheEndOfTheWriter() {
        RuntimeException broken = errors.gaveUp(MINUTE, 200, 1, 2, 3, dead);
        UncollectedItems items =
                new UncollectedItems(List.of(new FailedItem("a", dead)), Map.of(IOException.class, 1L));

        assertThat(errors.atClose(broken, items))
                .isNotSameAs(broken)
                .isInstanceOfSatisfying(GaveUpException.class, end -> {
                    assertThat(end.after()).isEqualTo(MINUTE);
                    assertThat(end.unsent()).isEqualTo(200);
                    assertThat(end.inFlight()).isEqualTo(1);
                    assertThat(end.failed()).isEqualTo(2);
                    assertThat(end.succeeded()).isEqualTo(3);
                    assertThat(end.getSuppressed()).hasOnlyElementsOfType(UncollectedFailuresException.class);
                })
                .hasMessageContaining("PT1M")
                .hasMessageContaining("200 items")
                .hasCause(dead);
        assertThat(errors.atClose(broken, null)).hasNoSuppressedExceptions();
    }
}
