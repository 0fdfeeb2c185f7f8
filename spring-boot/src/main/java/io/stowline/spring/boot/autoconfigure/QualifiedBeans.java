package io.stowline.spring.boot.autoconfigure;

import java.util.Map;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;

/**
 * The qualifiers of beans that a registrar has registered, by the names of these beans. A registrar cannot qualify its beans itself, and the
 * names of beans would be poor qualifiers: a table often has the name of the component that uses it.
 */
record QualifiedBeans(Map<String, String> qualifiers) {

    QualifiedBeans {
        qualifiers = Map.copyOf(qualifiers);
    }

    /** Sets the qualifiers, as attributes: processing ahead of time refuses the qualifiers of definitions for registered beans. */
    static final class PostProcessor implements BeanFactoryPostProcessor {

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
            for (String name : factory.getBeanNamesForType(QualifiedBeans.class, true, false)) {
                factory.getBean(name, QualifiedBeans.class)
                        .qualifiers()
                        .forEach((bean, qualifier) -> factory.getBeanDefinition(bean)
                                .setAttribute(AutowireCandidateQualifier.VALUE_KEY, qualifier));
            }
        }
    }
}
