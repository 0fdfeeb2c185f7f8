package io.stowline.spring.boot.autoconfigure;

import java.util.Map;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;

/**
 * The qualifiers of beans that a registrar has registered, by the names of these beans. A registrar cannot qualify its beans itself, and the
 * names of beans would be poor qualifiers: a table often has the name of the component that uses it.
 *
 * @param qualifiers the qualifiers by the names of the beans
 * @param byType whether a type alone finds these beans; otherwise an injection must have the qualifier
 */
record QualifiedBeans(Map<String, String> qualifiers, boolean byType) {

    QualifiedBeans {
        qualifiers = Map.copyOf(qualifiers);
    }

    /** A post-processor that sets the qualifiers, as attributes: processing ahead of time refuses the qualifiers of definitions for registered beans. */
    static final class PostProcessor implements BeanFactoryPostProcessor {

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
            for (String name : factory.getBeanNamesForType(QualifiedBeans.class, true, false)) {
                QualifiedBeans qualified = factory.getBean(name, QualifiedBeans.class);
                qualified
                        .qualifiers()
                        .forEach((bean, qualifier) ->
                                qualify(factory.getBeanDefinition(bean), qualifier, qualified.byType()));
            }
        }

        private static void qualify(BeanDefinition bean, String qualifier, boolean byType) {
            bean.setAttribute(AutowireCandidateQualifier.VALUE_KEY, qualifier);
            if (bean instanceof AbstractBeanDefinition definition) {
                definition.setDefaultCandidate(byType);
            }
        }
    }
}
