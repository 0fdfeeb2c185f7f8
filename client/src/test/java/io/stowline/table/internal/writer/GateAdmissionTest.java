package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.Admission;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.table.internal.writer.BatchDelivery.GateAdmission;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class GateAdmissionTest {

    private final Gate gate = Gate.fixed(1);
    private final GateAdmission admission = new GateAdmission(gate);
    private final List<Disposable> granted = new ArrayList<>();

    @Test
    @DisplayName("PERMIT-1: the permit of a batch is given back once")
    void permitIsGivenBackOnce() {
        admission.request(granted::add);
        assertThat(gate.inUse()).isEqualTo(1);

        granted.get(0).dispose();
        granted.get(0).dispose();
        assertThat(gate.inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-4: who waits is granted in turn, and may leave")
    void waitsAndLeaves() {
        admission.request(granted::add);
        Admission.Waiting leaves = admission.request(granted::add);
        Admission.Waiting stays = admission.request(granted::add);

        assertThat(leaves.cancel()).isTrue();
        granted.get(0).dispose();
        assertThat(granted).hasSize(2);
        assertThat(stays.cancel()).isFalse();
        granted.get(1).dispose();
        assertThat(gate.inUse()).isZero();
    }
}
