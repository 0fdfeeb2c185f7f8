package io.stowline.spring.boot.repository;

import io.stowline.spring.boot.account.StowlineConfigurationException;
import java.lang.reflect.Method;
import org.springframework.core.ResolvableType;

/**
 * A method of an application's repository.
 *
 * @param repository the interface
 * @param method the method
 */
record RepositoryMethod(Class<?> repository, Method method) {

    StowlineConfigurationException refused(String reason, String action) {
        return new StowlineConfigurationException(this + " cannot be derived: " + reason + ".", action);
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
