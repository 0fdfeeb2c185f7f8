package io.stowline.retry;

import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.ModelService;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.retry.internal.gate.VirtualTime;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/** A client with many workers, each of which does one operation after the other and backs off when it is throttled. */
public final class ModelClient {

    private static final NoTimer NEVER = new NoTimer();

    private final VirtualTime time;
    private final Random random;
    private final ModelService service;
    private final PartitionedGate<String> gates;
    private final String partition;
    private final ThrottleScope meant;
    /** The number of responses by their tenths of a millisecond. */
    public final int[] latencies = new int[100_000];

    public int done;

    private ModelClient(
            VirtualTime time, Random random, ModelService service, PartitionedGate<String> gates, String partition) {
        this.time = time;
        this.random = random;
        this.service = service;
        this.gates = gates;
        this.partition = partition;
        this.meant = partition == null ? ThrottleScope.ACCOUNT : ThrottleScope.PARTITION;
    }

    /** A separate client, whose every throttling is that of the account. */
    public static ModelClient alone(VirtualTime time, Random random, ModelService service) {
        return new ModelClient(time, random, service, PartitionedGate.of(ParallelismSettings.adaptive(), time), null);
    }

    /** The part of a client that works on one partition, which is a service by itself. */
    public static ModelClient on(
            String partition, VirtualTime time, Random random, ModelService service, PartitionedGate<String> gates) {
        return new ModelClient(time, random, service, gates, partition);
    }

    public void start(int workers) {
        for (int i = 0; i < workers; i++) {
            operate();
        }
    }

    public Gate account() {
        return gates.account();
    }

    public void forget() {
        Arrays.fill(latencies, 0);
        done = 0;
    }

    private void operate() {
        attempt(1);
    }

    private void attempt(int number) {
        gates.acquire(partition, PermitPriority.NORMAL, Deadline.in(Duration.ofHours(1), time), NEVER)
                .subscribe(permit -> send(permit, number));
    }

    private void send(Permit permit, int number) {
        double sent = time.seconds();
        service.send(responded -> {
            if (responded) {
                done++;
                latencies[(int) ((time.seconds() - sent) * 10_000)]++;
                permit.responded("read");
                operate();
            } else {
                gates.throttled(permit, partition, meant);
                time.in(backoff(number), () -> attempt(number + 1));
            }
        });
    }

    private double backoff(int retry) {
        return Math.min(30, 2 * (0.8 + 0.4 * random.nextDouble()) * (Math.pow(2, retry) - 1));
    }
}
