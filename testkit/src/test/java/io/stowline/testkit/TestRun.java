package io.stowline.testkit;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs test classes inside of a test, in the order of their names. */
final class TestRun {

    private TestRun() {}

    static EngineExecutionResults of(Path logs, Class<?>... classes) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("stowline.azurite.logs", logs.toString())
                .configurationParameter(
                        "junit.jupiter.testclass.order.default", "org.junit.jupiter.api.ClassOrderer$ClassName")
                .selectors(
                        Stream.of(classes).map(DiscoverySelectors::selectClass).toArray(DiscoverySelector[]::new))
                .execute();
    }
}
