package io.stowline.spring.boot.autoconfigure;

import io.stowline.spring.boot.account.AccountClients;
import java.util.Map;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * The qualifiers of beans that a registrar has registered, by the names of these beans. A registrar cannot qualify its beans itself, and the
 * names of beans would be poor qualifiers: a table often has the name of the component that uses it.
 *
 * <p>As a bean it qualifies before the overrides of a test choose what they replace. Where the context has no clients, as in the slice of another
 * library, it makes the beans lazy: a slice that uses none of them starts.
 *
 * @param qualifiers the qualifiers by the names of the beans
 * @param byType whether a type alone finds these beans; otherwise an injection must have the qualifier
 */
public record QualifiedBeans(Map<String, String> qualifiers, boolean byType)
        implements BeanFactoryPostProcessor, PriorityOrdered {

    /**
     * Keeps a copy of the qualifiers.
     *
     * @param qualifiers the qualifiers by the names of the beans
     * @param byType whether a type alone finds these beans
     */
    public QualifiedBeans {
        qualifiers = Map.copyOf(qualifiers);
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
        qualify(factory);
        if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(factory, AccountClients.class, true, false).length
                == 0) {
            qualifiers.keySet().forEach(bean -> factory.getBeanDefinition(bean).setLazyInit(true));
        }
        factory.clearMetadataCache(); // else an override of a test sees the definitions without their qualifiers
    }

    /** Sets the qualifiers as attributes: processing ahead of time refuses the qualifiers of definitions for registered beans. */
    private void qualify(ConfigurableListableBeanFactory factory) {
        qualifiers.forEach((bean, qualifier) -> {
            BeanDefinition definition = factory.getBeanDefinition(bean);
            definition.setAttribute(AutowireCandidateQualifier.VALUE_KEY, qualifier);
            if (definition instanceof AbstractBeanDefinition registered) {
                registered.setDefaultCandidate(byType);
                // A lookup by type prefers the only bean that is no fallback to a default candidate that is one.
                registered.setFallback(!byType);
            }
        });
    }

    /** A post-processor that qualifies what the overrides of a test have put in the place of these beans. */
    static final class PostProcessor implements BeanFactoryPostProcessor {

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
            for (String name : factory.getBeanNamesForType(QualifiedBeans.class, true, false)) {
                factory.getBean(name, QualifiedBeans.class).qualify(factory);
            }
        }
    }
}
