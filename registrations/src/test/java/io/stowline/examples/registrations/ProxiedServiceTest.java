package io.stowline.examples.registrations;

import io.stowline.testkit.FaultProxy;
import org.junit.jupiter.api.AfterEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

/** The running service over an emulator, behind a proxy that injects faults. */
@Import(StorageUnderTest.class)
abstract class ProxiedServiceTest extends ServiceTest {

    @Autowired
    FaultProxy proxy;

    @AfterEach
    void endsTheFaults() {
        proxy.clear();
    }
}
