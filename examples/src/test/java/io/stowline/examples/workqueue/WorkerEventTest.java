package io.stowline.examples.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.examples.workqueue.WorkerEvent.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerEventTest {

    @Test
    void isALineAndBack() {
        WorkerEvent started = WorkerEvent.of(Kind.STARTED, 17, 2);

        assertThat(started.line()).isEqualTo("STARTED 17 2");
        assertThat(WorkerEvent.parse(started.line())).contains(started);
        assertThat(started.job()).isEqualTo(17);
        assertThat(started.delivery()).isEqualTo(2);
        assertThat(WorkerEvent.parse("READY")).contains(WorkerEvent.of(Kind.READY));
        assertThat(WorkerEvent.parse("STOPPED 3 0 12 0")).contains(WorkerEvent.of(Kind.STOPPED, 3, 0, 12, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ready", "READY 1", "DONE", "DONE 1 2", "DONE one", "DONE -1", "DONE  1", "STARTED 1"})
    void isNoneForOtherLines(String line) {
        assertThat(WorkerEvent.parse(line)).isEmpty();
    }

    @Test
    void someJobsFailOnceAndOneAlways() {
        assertThat(WorkItem.of(19, 5).fails(1)).isFalse();
        assertThat(WorkItem.of(20, 5).fails(1)).isTrue();
        assertThat(WorkItem.of(60, 5).fails(1)).isTrue();
        assertThat(WorkItem.of(60, 5).fails(2)).isFalse();
        assertThat(WorkItem.of(WorkItem.POISON, 5).fails(1_000)).isTrue();
        assertThat(WorkItem.of(7, 5).key()).isEqualTo("000007");
    }
}
