package io.stowline.table;

import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.util.Random;
import java.util.concurrent.Executor;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Table services of a test over a simulated connection in virtual time. */
public final class SimulatedTables {

    private SimulatedTables() {}

    /** Makes a service whose responses the test gives. */
    public static TableService service(
            VirtualTimeScheduler time, RetrySettings retry, SimulatedConnection.Exchange responses) {
        return service(connection(time, Runnable::run, responses), retry);
    }

    static TableService service(ClientRuntime runtime, RetrySettings retry) {
        return new TableService(Bench.account(), runtime, retry, ScanPolicy.ALLOW);
    }

    /** Makes a connection whose callbacks run where the test says. */
    static ClientRuntime connection(
            VirtualTimeScheduler time, Executor callbacks, SimulatedConnection.Exchange responses) {
        SimulatedConnection.Machine machine =
                new SimulatedConnection.Machine(time, Bench.START, new Random(1), callbacks);
        return SimulatedConnection.open(machine, ClientSettings.DEFAULT, true, responses);
    }
}
