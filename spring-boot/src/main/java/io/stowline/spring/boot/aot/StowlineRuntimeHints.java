package io.stowline.spring.boot.aot;

import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.table.ReactiveTable;
import io.stowline.table.Table;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * A processor that registers the Java types of tables and queues, those of a ring included, for reflection: constructors, fields and methods of each type that stands in the generic type
 * of a bean, and of the types of its components.
 */
final class StowlineRuntimeHints implements BeanFactoryInitializationAotProcessor {

    /** By names: the module of rings is optional. */
    private static final Set<String> MAPPED = Set.of(
            Table.class.getName(),
            ReactiveTable.class.getName(),
            MessageQueue.class.getName(),
            ReactiveMessageQueue.class.getName(),
            "io.stowline.ring.RingTable",
            "io.stowline.ring.RingQueue");

    /** Made by Spring. */
    StowlineRuntimeHints() {}

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beanFactory) {
        Set<Type> types = new LinkedHashSet<>();
        for (String name : beanFactory.getBeanDefinitionNames()) {
            ResolvableType bean = beanFactory.getMergedBeanDefinition(name).getResolvableType();
            if (MAPPED.contains(bean.toClass().getName())) {
                Class<?> type = bean.getGeneric(0).resolve();
                if (type != null && !ClassUtils.isPrimitiveOrWrapper(type) && !isOurs(type)) {
                    addMapped(type, types);
                }
            }
        }
        return types.isEmpty()
                ? null
                : (context, code) -> new BindingReflectionHintsRegistrar()
                        .registerReflectionHints(context.getRuntimeHints().reflection(), types.toArray(Type[]::new));
    }

    /** A sealed type is read as the types that it permits. */
    private static void addMapped(Class<?> type, Set<Type> types) {
        types.add(type);
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                addMapped(permitted, types);
            }
        }
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("java.") || type.getPackage() == Table.class.getPackage();
    }
}
