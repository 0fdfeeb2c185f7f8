package io.stowline.spring.boot.repository;

import java.lang.reflect.Method;
import org.springframework.core.ResolvableType;

/**
 * A method of an application's repository.
 *
 * @param repository the interface
 * @param method the method
 */
record RepositoryMethod(Class<?> repository, Method method) {

    RepositoryConfigurationException refused(String reason, String action) {
        return new RepositoryConfigurationException(this + " cannot be derived: " + reason + ".", action);
    }

    ResolvableType result() {
        return ResolvableType.forMethodReturnType(method, repository);
    }

    ResolvableType parameter(int index) {
        return ResolvableType.forMethodParameter(method, index, repository);
    }

    @Override
    public String toString() {
        return repository.getSimpleName() + "." + method.getName();
    }
}
