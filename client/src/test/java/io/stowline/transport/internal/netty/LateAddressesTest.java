package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LateAddressesTest {

    private static final int PORT = 443;
    private static final InetAddress A = address(1);
    private static final InetAddress B = address(2);
    private static final InetAddress C = address(3);

    private long now;
    private final LateAddresses late = new LateAddresses(() -> now);

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress("host.example", new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static InetSocketAddress at(InetAddress address) {
        return new InetSocketAddress(address, PORT);
    }

    private List<InetAddress> order(int port) {
        return late.candidates(new InetAddress[] {A, B, C}, port).stream()
                .map(InetSocketAddress::getAddress)
                .toList();
    }

    @Test
    @DisplayName("RETRY-2: the addresses of a host keep their order, and one that was late is the last for a minute")
    void order() {
        assertThat(order(PORT)).containsExactly(A, B, C);

        late.late(at(A));
        assertThat(order(PORT)).containsExactly(B, C, A);
        now += LateAddresses.NANOS - 1;
        assertThat(order(PORT)).containsExactly(B, C, A);
        now += 1;
        assertThat(order(PORT)).containsExactly(A, B, C);
    }

    @Test
    @DisplayName("RETRY-2: of addresses that were all late, the one whose failure is the oldest comes first")
    void allLate() {
        late.late(at(B));
        now += 1;
        late.late(at(C));
        now += 1;
        late.late(at(A));
        assertThat(order(PORT)).containsExactly(B, C, A);

        now += 1;
        late.late(at(B));
        assertThat(order(PORT)).containsExactly(C, A, B);
    }

    @Test
    @DisplayName("an address that has connected since is not late, and each port counts for itself")
    void connected() {
        late.late(at(A));
        assertThat(order(PORT + 1)).containsExactly(A, B, C);

        late.connected(at(A));
        assertThat(order(PORT)).containsExactly(A, B, C);
    }
}
