package io.stowline.spring.boot.listener;

import io.stowline.Stowline;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * A post-processor that closes clients in the place of Spring. A context that a handler closes cannot wait for a client, which waits for the handler: another thread
 * closes it then, and keeps the JVM alive until it is closed.
 */
final class ClientClosing implements MergedBeanDefinitionPostProcessor, DestructionAwareBeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(ClientClosing.class);
    private static final String CLOSE = "close";

    private final Set<String> clients = ConcurrentHashMap.newKeySet();

    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        if (type == Stowline.class && isClosed(definition.getDestroyMethodName())) {
            definition.registerExternallyManagedDestroyMethod(CLOSE);
            clients.add(name);
        }
    }

    /** Returns whether Spring calls {@code close} or {@code shutdown} on the bean. */
    private static boolean isClosed(@Nullable String destroyMethod) {
        return destroyMethod == null
                || destroyMethod.equals(CLOSE)
                || destroyMethod.equals(AbstractBeanDefinition.INFER_METHOD);
    }

    @Override
    public boolean requiresDestruction(Object bean) {
        return bean instanceof Stowline;
    }

    @Override
    public void postProcessBeforeDestruction(Object bean, String name) {
        if (bean instanceof Stowline client && clients.contains(name)) {
            try {
                client.close();
            } catch (IllegalStateException refused) {
                LOG.debug("The client '{}' is closed by another thread", name, refused);
                Thread closing = new Thread(() -> close(client, name), "stowline-close");
                closing.setDaemon(false);
                closing.start();
            }
        }
    }

    private static void close(Stowline client, String name) {
        try {
            client.close();
        } catch (RuntimeException e) {
            LOG.warn("Closing the client '{}' failed", name, e);
        }
    }
}
