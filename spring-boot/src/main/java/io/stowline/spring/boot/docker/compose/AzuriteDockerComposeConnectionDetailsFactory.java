package io.stowline.spring.boot.docker.compose;

import io.stowline.spring.boot.autoconfigure.StowlineConnectionDetails;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/** A connector to a service of the image {@code azure-storage/azurite}. */
final class AzuriteDockerComposeConnectionDetailsFactory
        extends DockerComposeConnectionDetailsFactory<StowlineConnectionDetails> {

    private static final String IMAGE = "azure-storage/azurite";

    /** Made by Spring Boot. */
    AzuriteDockerComposeConnectionDetailsFactory() {
        super(IMAGE);
    }

    @Override
    protected StowlineConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new AzuriteComposeConnectionDetails(source.getRunningService());
    }

    static final class AzuriteComposeConnectionDetails extends DockerComposeConnectionDetails
            implements StowlineConnectionDetails {

        // The emulator's account and key are public constants of its documentation.
        private static final String ACCOUNT = "devstoreaccount1";
        private static final String KEY =
                "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
        private static final int BLOB_PORT = 10000;
        private static final int QUEUE_PORT = 10001;
        private static final int TABLE_PORT = 10002;

        private final String account;
        private final String connectionString;

        AzuriteComposeConnectionDetails(RunningService service) {
            super(service);
            // AZURITE_ACCOUNTS is account:key[:key][;account:key...]
            String accounts = service.env().getOrDefault("AZURITE_ACCOUNTS", ACCOUNT + ":" + KEY);
            String[] first = accounts.split(";", 2)[0].split(":", 3);
            this.account = first[0];
            String key = first.length > 1 ? first[1] : "";
            this.connectionString = "AccountName=" + account + ";AccountKey=" + key
                    + endpoint("Blob", service, BLOB_PORT) + endpoint("Queue", service, QUEUE_PORT)
                    + endpoint("Table", service, TABLE_PORT);
        }

        private String endpoint(String name, RunningService service, int port) {
            return ";" + name + "Endpoint=http://" + service.host() + ":"
                    + service.ports().get(port) + "/" + account;
        }

        @Override
        public String getConnectionString() {
            return connectionString;
        }
    }
}
