package io.stowline.spring.boot.test;

import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.memory.MemoryStorage;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** A listener that clears the rules and recordings of the context's fault proxy, and the planned faults and requests of its accounts in memory, before each test. */
final class PlannedFaultClearing extends AbstractTestExecutionListener {

    /** Made by Spring. */
    PlannedFaultClearing() {}

    @Override
    public void beforeTestMethod(TestContext testContext) {
        ApplicationContext context = testContext.getApplicationContext();
        context.getBeanProvider(FaultProxy.class).ifAvailable(FaultProxy::clear);
        context.getBeansOfType(MemoryStorage.class, false, false).values().forEach(MemoryStorage::clearFaults);
    }
}
