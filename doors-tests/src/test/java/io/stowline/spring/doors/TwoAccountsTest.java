package io.stowline.spring.doors;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test of {@code docs/two-accounts.md}, in the slice of the application of that page. */
class TwoAccountsTest {

    @Test
    @DisplayName("the test of the document, over two accounts in memory")
    void theTestOfTheDocumentRuns(@TempDir Path folder) throws Exception {
        DocumentedApplication.of("two-accounts.md", "archive.ArchiveApplicationTest")
                .test("ArchiveApplication", folder, "movesARaceAndLosesNothing");
    }
}
