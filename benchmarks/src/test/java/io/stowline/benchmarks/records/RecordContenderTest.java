package io.stowline.benchmarks.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.side.StubProcess;
import io.stowline.benchmarks.side.stub.StubServer;
import io.stowline.benchmarks.side.work.Account;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordContenderTest {

    private static final int RECORDS = 2_000;

    @TempDir
    Path folder;

    @Test
    void eachWayTakesItsRequests() throws Exception {
        try (StubServer stub = StubServer.start(Duration.ZERO)) {
            Account account = StubProcess.account(stub.port());

            assertThat(requests(new BlobPerRecord(account))).isEqualTo(RECORDS);
            assertThat(requests(new LogFile(folder.resolve("log"), 2))).isZero();
            assertThat(requests(new RecordsInBlobs(account, null, false, 1))).isOne();
            assertThat(requests(new RecordsInBlobs(account, folder.resolve("one"), false, 2)))
                    .isOne();
            assertThat(requests(new RecordsInBlobs(account, folder.resolve("all"), false, 0)))
                    .isOne();
            assertThat(requests(new RecordsInBlobs(account, folder.resolve("fsync"), true, 16)))
                    .isOne();
        }
    }

    private static long requests(RecordContender contender) throws Exception {
        try (contender) {
            return contender.store(RECORDS);
        }
    }
}
