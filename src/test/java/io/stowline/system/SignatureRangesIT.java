package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.credential.AzureSasCredential;
import io.stowline.Stowline;
import io.stowline.access.SharedAccessSignature;
import io.stowline.error.AuthenticationException;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.FaultProxyExtension;
import io.stowline.testkit.StrictMode;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** ACCESS-1: the limits of a table's signature, which the strict proxy enforces as the service does; the emulator does not. */
@Timeout(120)
@DisplayName("ACCESS-1: a table's signature keeps to its range and permissions")
class SignatureRangesIT {

    @RegisterExtension
    static final FaultProxyExtension STORAGE = FaultProxyExtension.shared().strict(StrictMode.on());

    private Stowline storage;
    private Table<Entity> runners;

    @BeforeEach
    void make() {
        storage = Stowline.connect(STORAGE.storage().connectionString());
        runners = storage.table("Runners" + UUID.randomUUID().toString().replace("-", ""));
        runners.create();
    }

    @AfterEach
    void close() {
        runners.dropIfExists();
        storage.close();
    }

    private Table<Entity> theirs(Stowline client) {
        return client.table(runners.name());
    }

    private Stowline opened(SharedAccessSignature signature) {
        return Stowline.builder()
                .tableEndpoint(storage.endpoints().get("table").toString())
                .credential(new AzureSasCredential(signature.token()))
                .build();
    }

    private static Entity entity(String partitionKey, String rowKey) {
        return Entity.builder(partitionKey, rowKey).build();
    }

    @Test
    void writesOutsideTheRangeAreRefused() {
        try (Stowline partition =
                        opened(runners.sas().canUpsert().partition("b").sign());
                Stowline range = opened(
                        runners.sas().canUpsert().entities("b", "2", "c", "1").sign())) {
            theirs(partition).insertOrReplace(entity("b", "1"));
            theirs(range).insertOrReplace(entity("b", "2"));
            theirs(range).insertOrReplace(entity("c", "0"));

            assertThat(catchThrowable(() -> theirs(partition).insertOrReplace(entity("a", "1"))))
                    .isInstanceOf(AuthenticationException.class);
            assertThat(catchThrowable(() -> theirs(range).insertOrReplace(entity("b", "1"))))
                    .isInstanceOf(AuthenticationException.class);
            assertThat(catchThrowable(() -> theirs(range).insertOrReplace(entity("c", "2"))))
                    .isInstanceOf(AuthenticationException.class);
        }
    }

    @Test
    void anUpsertNeedsBothPermissions() {
        try (Stowline both = opened(runners.sas().canUpsert().sign());
                Stowline half = opened(runners.sas().canInsert().sign())) {
            theirs(both).insertOrReplace(entity("p", "1"));
            theirs(half).insert(entity("p", "2"));

            assertThat(catchThrowable(() -> theirs(half).insertOrReplace(entity("p", "3"))))
                    .isInstanceOf(AuthenticationException.class);
        }
    }
}
