package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpClient;
import io.stowline.error.UnreachableException;
import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import java.net.ConnectException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class ScansTest {

    private static final String LOGGER = "io.stowline.table.internal.request.ScanGuard";
    private static final HttpClient NOWHERE = request -> Mono.error(new ConnectException("no network in this test"));

    private static Stowline client(ScanPolicy policy) {
        return Stowline.builder()
                .endpoint("https://acct.table.core.windows.net")
                .credential(new AzureNamedKeyCredential("acct", "a2V5"))
                .httpClient(NOWHERE)
                .retry(retry -> retry.retries(0))
                .scans(policy)
                .build();
    }

    private static Query<Entity> named(Table<Entity> table, String name) {
        return table.query().where(Filter.property("name").equalTo(name));
    }

    private static void run(Query<Entity> query) {
        assertThatExceptionOfType(UnreachableException.class).isThrownBy(query::list);
    }

    private static long warnings(CapturedLog log) {
        return log.text()
                .lines()
                .filter(line -> line.contains("scans the whole table"))
                .count();
    }

    @Test
    @DisplayName(
            "T7: a scan is warned of once for each table and shape of the filter, whatever the values and the view")
    void warnsOnce() {
        try (Stowline storage = client(ScanPolicy.WARN);
                CapturedLog log = new CapturedLog(LOGGER)) {
            Table<Entity> people = storage.table("people");
            run(named(people, "secret"));
            run(named(people, "O''Neill's secret"));
            run(named(people.withRetry(retry -> retry.retries(0)), "other"));
            assertThat(warnings(log)).isEqualTo(1);

            run(people.query());
            run(people.query().splitAt("a", "b"));
            run(named(storage.table("animals"), "secret"));
            assertThat(warnings(log)).isEqualTo(3);
            assertThat(log.text())
                    .contains("the whole table people (filter name eq ?)")
                    .contains("the whole table people (no filter)")
                    .contains("the whole table animals (filter name eq ?)")
                    .doesNotContain("secret");
        }
    }

    @Test
    void doesNotWarnOfWhatIsAllowedOrNoScan() {
        try (Stowline storage = client(ScanPolicy.WARN);
                CapturedLog log = new CapturedLog(LOGGER)) {
            run(storage.table("people").query().partition("p"));
            run(storage.table("people").withScanPolicy(ScanPolicy.ALLOW).query());

            assertThat(warnings(log)).isZero();
        }
    }

    @Test
    void theBuilderSaysWhatBecomesOfScans() {
        try (Stowline storage = client(ScanPolicy.REFUSE)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> storage.table("people").query().list())
                    .withMessageContaining("people");
            run(storage.table("people").withScanPolicy(ScanPolicy.ALLOW).query());
        }
        assertThatNullPointerException().isThrownBy(() -> Stowline.builder().scans(null));
    }
}
