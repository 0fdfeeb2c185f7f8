package io.stowline.spring.boot.resilience4j;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.resilience.retry.MethodRetryEvent;

/** A listener that logs once for each method that {@code @Retryable} of Spring repeats after the client has used up its own retries. */
final class RetryableWarning implements ApplicationListener<MethodRetryEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(RetryableWarning.class);

    private final Set<Method> logged = ConcurrentHashMap.newKeySet();
    /** The last failed invocation of each method by its identity hash: a reference would hold its arguments. */
    private final Map<Method, Integer> failed = new ConcurrentHashMap<>();

    @Override
    public void onApplicationEvent(MethodRetryEvent event) {
        if (event.isRetryAborted()) {
            return;
        }
        OuterRetries.usedUp(event.getFailure())
                .filter(end -> isRepeated(event) && logged.add(event.getMethod()))
                .ifPresent(end -> LOG.warn(
                        "@Retryable of {}.{} repeats calls that end in {} after {} attempts of the client of Stowline,"
                                + " and multiplies them. Exclude the failures after which no retry may help by 'predicate"
                                + " = OuterRetries.class', or switch the retries of the client off by"
                                + " 'stowline.retry.retries=0'. Further calls of this method are not logged.",
                        event.getMethod().getDeclaringClass().getSimpleName(),
                        event.getMethod().getName(),
                        end.getClass().getSimpleName(),
                        end.failure() == null ? 0 : end.failure().attempts()));
    }

    /** Each failure of an invocation is an event: the second one shows that the first was repeated. */
    private boolean isRepeated(MethodRetryEvent event) {
        Integer invocation = System.identityHashCode(event.getSource());
        return invocation.equals(failed.put(event.getMethod(), invocation));
    }
}
