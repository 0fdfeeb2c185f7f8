package io.stowline.spring.doors.scanned;

import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.spring.doors.scanned.ScannedApplication.Runner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A configuration that the scan of the application finds. */
@Configuration(proxyBeanMethods = false)
@Import({StorageConfiguration.Main.class, StorageConfiguration.Archive.class})
class StorageConfiguration {

    static class Main extends StowlineBeans {
        @Override
        protected void declare() {
            table("runners", Runner.class);
        }
    }

    static class Archive extends StowlineBeans {
        @Override
        protected void declare() {
            account("archive").table("runners", Runner.class);
        }
    }
}
