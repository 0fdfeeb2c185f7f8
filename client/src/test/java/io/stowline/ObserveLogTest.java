package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.error.UnreachableException;
import io.stowline.observe.OperationEnd;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

class ObserveLogTest {

    private static Stowline client(StowlineListener listener) {
        return Stowline.builder()
                .httpClient(request -> Mono.error(new ConnectException("no network in this test")))
                .retry(retry -> retry.retries(0))
                .connectionString("DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=a2V5")
                .listener(listener)
                .build();
    }

    @Test
    void listenersThatThrowAreLoggedAndHarmless() {
        StowlineListener failing = new StowlineListener() {
            @Override
            public void onServiceOpened(ServiceState state) {
                throw new IllegalStateException("opened fails");
            }

            @Override
            public void onServiceClosed(ServiceState state) {
                throw new IllegalStateException("closed fails");
            }

            @Override
            public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                if (operation.service().equals("table")) {
                    throw new IllegalStateException("started fails");
                }
                return new OperationListener() {
                    @Override
                    public void onOperationEnd(OperationEnd end) {
                        throw new IllegalStateException("ended fails");
                    }
                };
            }
        };
        try (CapturedLog log = new CapturedLog(
                "io.stowline.transport.internal.observe.OperationObserver",
                "io.stowline.transport.internal.client.ClientRuntime")) {
            try (Stowline storage = client(failing)) {
                assertThatExceptionOfType(UnreachableException.class).isThrownBy(storage::listTables);
                assertThatExceptionOfType(UnreachableException.class)
                        .isThrownBy(() -> storage.queue("orders").exists());
            }
            assertThat(log.text()).contains("opened fails", "closed fails", "started fails", "ended fails");
        }
    }

    @Test
    void aServiceIsOpenedWithItsFirstPartAndClosedOnce() {
        List<String> reported = new ArrayList<>();
        Stowline storage = client(new StowlineListener() {
            @Override
            public void onServiceOpened(ServiceState state) {
                reported.add("opened " + state.account() + " " + state.service());
            }

            @Override
            public void onServiceClosed(ServiceState state) {
                reported.add("closed " + state.account() + " " + state.service());
            }
        });
        assertThat(reported).isEmpty();
        storage.table("notes");
        storage.table("others");
        assertThat(reported).containsExactly("opened acct table");
        storage.queue("orders");
        storage.container("files");
        storage.container("others");
        assertThat(reported).containsExactly("opened acct table", "opened acct queue", "opened acct blob");
        reported.clear();

        storage.close();
        storage.close();

        assertThat(reported).containsExactlyInAnyOrder("closed acct table", "closed acct queue", "closed acct blob");
    }

    @Test
    void aServiceOfAClosedClientIsNotOpened() {
        List<String> reported = new ArrayList<>();
        Stowline storage = client(new StowlineListener() {
            @Override
            public void onServiceOpened(ServiceState state) {
                reported.add(state.service());
            }
        });
        storage.close();
        storage.table("notes");

        assertThat(reported).isEmpty();
    }
}
