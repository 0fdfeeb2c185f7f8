package io.stowline.spring.boot.test;

import io.stowline.testkit.FaultProxy;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** A listener that clears the rules and recordings of the context's fault proxy before each test. */
final class FaultProxyClearing extends AbstractTestExecutionListener {

    /** Made by Spring. */
    FaultProxyClearing() {}

    @Override
    public void beforeTestMethod(TestContext testContext) {
        testContext.getApplicationContext().getBeanProvider(FaultProxy.class).ifAvailable(FaultProxy::clear);
    }
}
