package io.stowline.spring.boot.autoconfigure;

import io.stowline.ReactiveStowline;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.table.ReactiveTable;
import java.util.Set;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.util.StringUtils;

/**
 * Gives the reactive face of a bean the qualifier of that bean: {@code @Qualifier("orders")} selects the {@code MessageQueue} named
 * {@code orders} as well as the {@code ReactiveMessageQueue} named {@code reactiveOrders}.
 */
final class ReactiveQualifiers implements BeanFactoryPostProcessor {

    private static final String PREFIX = "reactive";
    private static final Set<Class<?>> FACES = Set.of(
            ReactiveStowline.class, ReactiveTable.class, ReactiveMessageQueue.class, ReactiveBlobContainer.class);

    static String reactive(String name) {
        return PREFIX + StringUtils.capitalize(name);
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
        for (String face : factory.getBeanDefinitionNames()) {
            if (face.startsWith(PREFIX)
                    && face.length() > PREFIX.length()
                    && FACES.contains(
                            factory.getBeanDefinition(face).getResolvableType().toClass())) {
                String capitalized = face.substring(PREFIX.length());
                String name = factory.containsBeanDefinition(capitalized)
                        ? capitalized
                        : StringUtils.uncapitalize(capitalized);
                // Processing ahead of time refuses other qualifiers of registered beans.
                factory.getBeanDefinition(face).setAttribute(AutowireCandidateQualifier.VALUE_KEY, name);
            }
        }
    }
}
