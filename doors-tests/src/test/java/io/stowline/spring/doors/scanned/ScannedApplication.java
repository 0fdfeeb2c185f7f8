package io.stowline.spring.doors.scanned;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application whose storage has a configuration. */
@SpringBootApplication
public class ScannedApplication {

    record Runner(@PartitionKey String race, @RowKey String bib, String name) {}
}
