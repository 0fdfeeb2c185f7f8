package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An emulator must not outlive the JVM that started it, however that JVM ended. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class OrphanTest {

    private static final int PATIENCE_MILLIS = 30_000;

    /** Starts an emulator, prints its table port, and halts without any hook as soon as the test says so. */
    static final class Main {

        public static void main(String[] arguments) throws IOException {
            System.out.println(Azurite.start().tableEndpoint().getPort());
            if (System.in.read() >= 0) {
                Runtime.getRuntime().halt(3);
            }
        }
    }

    @Test
    void endsWithAJvmThatHalts() throws Exception {
        Process jvm = ChildJvm.start(Main.class);
        assertEmulatorEndsAfter(jvm, () -> {
            try (OutputStream input = jvm.getOutputStream()) {
                input.write('\n');
            }
            return jvm.waitFor();
        });
        assertThat(jvm.exitValue()).isEqualTo(3);
    }

    @Test
    void endsWithAJvmThatIsKilled() throws Exception {
        Process jvm = ChildJvm.start(Main.class);
        assertEmulatorEndsAfter(jvm, () -> jvm.destroyForcibly().waitFor());
    }

    private static void assertEmulatorEndsAfter(Process jvm, Callable<Integer> ending) throws Exception {
        try (BufferedReader output = jvm.inputReader()) {
            int port = Integer.parseInt(output.readLine());
            InetAddress loopback = InetAddress.getLoopbackAddress();
            // An open connection tells the end of the process at the other side, even where no process reaps its
            // remains.
            try (Socket connection = new Socket(loopback, port)) {
                connection.setSoTimeout(PATIENCE_MILLIS);
                ending.call();
                assertThat(isClosedByPeer(connection)).isTrue();
            }
            awaitRefusal(loopback, port);
        } finally {
            jvm.destroyForcibly();
        }
    }

    // A dying process closes its connections one after the other, the listening one perhaps last.
    private static void awaitRefusal(InetAddress address, int port) throws IOException {
        boolean refused = false;
        while (!refused) {
            refused = isRefused(address, port);
        }
        assertThat(refused).isTrue();
    }

    private static boolean isRefused(InetAddress address, int port) throws IOException {
        try {
            new Socket(address, port).close();
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (SocketException dying) {
            return false;
        }
    }

    private static boolean isClosedByPeer(Socket connection) throws IOException {
        try {
            return connection.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }
}
