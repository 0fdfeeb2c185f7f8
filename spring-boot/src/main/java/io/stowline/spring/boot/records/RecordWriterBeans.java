package io.stowline.spring.boot.records;

import io.stowline.records.RecordWriter;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ListableBeanFactory;

/** The writers of records that are beans, for their meters and their health. */
final class RecordWriterBeans {

    private static final String SUFFIX = "RecordWriter";

    private RecordWriterBeans() {}

    /** Returns the name of the bean of a writer that properties declare. */
    static String beanName(String name) {
        return name + SUFFIX;
    }

    /** Returns the writers by their names below {@code stowline.records}; those of the application by the names of their beans. */
    static Map<String, RecordWriter<?>> in(ListableBeanFactory beans) {
        Map<String, RecordWriter<?>> writers = new TreeMap<>();
        beans.getBeansOfType(RecordWriter.class, false, true)
                .forEach((bean, writer) -> writers.put(name(bean), writer));
        return writers;
    }

    private static String name(String bean) {
        return bean.endsWith(SUFFIX) && bean.length() > SUFFIX.length()
                ? bean.substring(0, bean.length() - SUFFIX.length())
                : bean;
    }
}
