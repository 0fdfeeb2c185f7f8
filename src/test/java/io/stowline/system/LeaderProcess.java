package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.FencedBlob;
import io.stowline.blob.LeaderTerm;
import io.stowline.blob.LeaseLostException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A separate process that leads whenever it can, writes while it leads, and logs its events on its standard output, each behind the time of
 * day in ms.
 *
 * <pre>
 * READY                    the process applies
 * LEAD term                it leads
 * WROTE term               the store has taken a write
 * LOST term                its term is lost
 * LEFT term                it has given its term back
 * </pre>
 *
 * It leaves its term and ends at the line {@code stop}.
 */
final class LeaderProcess {

    static final Duration LEASE = Duration.ofSeconds(15);

    private volatile boolean stopped;

    private LeaderProcess() {}

    /**
     * Leads until it is stopped or killed.
     *
     * @param args the connection string and the container
     */
    public static void main(String[] args) throws Exception {
        LeaderProcess process = new LeaderProcess();
        Thread commands = new Thread(process::obey, "commands");
        commands.setDaemon(true);
        commands.start();
        try (Stowline storage = Stowline.connect(args[0])) {
            process.lead(storage.container(args[1]));
        }
    }

    private void obey() {
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            commands.readLine();
        } catch (IOException e) {
            say("FAIL " + e);
        }
        stopped = true;
    }

    private void lead(BlobContainer container) {
        say("READY");
        while (!stopped) {
            long[] number = new long[1];
            try {
                container.leader("leader", LEASE).whileLeading(term -> {
                    number[0] = term.number();
                    say("LEAD " + term.number());
                    write(term, container);
                });
                say("LEFT " + number[0]);
            } catch (LeaseLostException e) {
                say("LOST " + number[0]);
            }
        }
    }

    private void write(LeaderTerm term, BlobContainer container) {
        FencedBlob state = term.fence(container, "state");
        while (!stopped) {
            state.upload(Long.toString(term.number()).getBytes(StandardCharsets.UTF_8));
            say("WROTE " + term.number());
            ShortPause.park();
        }
    }

    private static synchronized void say(String event) {
        PrintStream out = System.out;
        out.println(System.currentTimeMillis() + " " + event);
        out.flush();
    }
}
