package io.stowline.examples.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.examples.workqueue.JobTracker.Deliveries;
import io.stowline.examples.workqueue.TrackerView.Slot;
import io.stowline.examples.workqueue.TrackerView.State;
import io.stowline.examples.workqueue.TrackerView.WorkerRow;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobTrackerTest {

    private long seconds;
    private final JobTracker tracker = new JobTracker(3, () -> TimeUnit.SECONDS.toNanos(seconds));

    @BeforeEach
    void startTwoWorkers() {
        tracker.started(1, 101, 2);
        tracker.started(2, 102, 2);
    }

    @Test
    void isReadyWhenAllWorkersPoll() {
        event(1, "READY");
        assertThat(tracker.isReady()).isFalse();
        event(2, "READY");
        assertThat(tracker.isReady()).isTrue();
        assertThat(row(1).state()).isEqualTo(State.WORKING);
        event(1, "STOPPED 0 0 0 0");
        assertThat(row(1)).isEqualTo(new WorkerRow(1, 101, State.STOPPED, slots(null, null), 0, 0, 0));
    }

    @Test
    void keepsAJobInItsSlot() {
        event(1, "STARTED 1 1");
        event(1, "STARTED 2 1");
        assertThat(tracker.isBusy(1)).isTrue();
        assertThat(tracker.isBusy(2)).isFalse();

        event(1, "DONE 1");
        assertThat(row(1).slots()).isEqualTo(slots(null, new Slot(2, 1)));
        event(1, "STARTED 3 1");
        assertThat(row(1).slots()).isEqualTo(slots(new Slot(3, 1), new Slot(2, 1)));
        assertThat(row(1).done()).isOne();
    }

    @Test
    void isCompleteWhenEachJobIsDoneOrPoison() {
        event(1, "STARTED 1 1");
        event(1, "DONE 1");
        event(2, "STARTED 2 1");
        event(2, "REPEATED 2");
        assertThat(tracker.isComplete()).isFalse();

        tracker.poisoned(List.of(3));
        tracker.poisoned(List.of(3));

        assertThat(tracker.isComplete()).isTrue();
        assertThat(tracker.done()).isEqualTo(2);
        assertThat(tracker.view())
                .returns(3, TrackerView::jobs)
                .returns(2, TrackerView::done)
                .returns(1, TrackerView::poisoned);
        assertThat(tracker.deliveries().repeated()).isOne();
    }

    @Test
    void tellsWhyAJobComesAgain() {
        event(1, "STARTED 1 1");
        event(1, "FAILED 1");
        event(2, "STARTED 1 2");
        event(2, "LOST 1");
        event(1, "STARTED 1 3");
        event(1, "STARTED 2 4");

        assertThat(tracker.deliveries()).isEqualTo(new Deliveries(2, 0, 1, 0, 0, 0));
        assertThat(row(1).failed()).isOne();
    }

    @Test
    void followsTheJobsOfAKilledWorkerToTheNext() {
        event(1, "STARTED 1 1");
        event(1, "STARTED 2 1");
        seconds = 5;
        tracker.killed(1, TimeUnit.SECONDS.toNanos(4));
        assertThat(row(1).state()).isEqualTo(State.KILLED);
        assertThat(row(1).slots()).containsExactly(new Slot(1, 1), new Slot(2, 1));

        seconds = 12;
        event(2, "STARTED 2 2");
        seconds = 14;
        event(2, "STARTED 3 2"); // which the killed worker had received, but not begun

        assertThat(row(1).slots()).isEqualTo(slots(new Slot(1, 1), null));
        assertThat(row(2).slots()).containsExactly(new Slot(2, 2), new Slot(3, 2));
        assertThat(row(2).takenOver()).isEqualTo(2);
        assertThat(tracker.deliveries()).isEqualTo(new Deliveries(0, 2, 0, 0, 8, 10));
        assertThat(tracker.view().seconds()).isEqualTo(14);
    }

    @Test
    void knowsWhenTheLastEventCame() {
        seconds = 3;
        event(1, "READY");
        seconds = 7;

        assertThat(tracker.sinceLastEvent()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void refusesWorkersThatItDoesNotKnow() {
        assertThatIllegalArgumentException().isThrownBy(() -> event(3, "READY")).withMessage("no worker 3");
    }

    private void event(int worker, String line) {
        tracker.accept(worker, WorkerEvent.parse(line).orElseThrow());
    }

    private WorkerRow row(int worker) {
        return tracker.view().workers().get(worker - 1);
    }

    private static List<Slot> slots(Slot... slots) {
        return Arrays.asList(slots);
    }
}
